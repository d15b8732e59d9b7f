import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../../common/openapi/openapi.registry.js';
import { MailModule } from '../../mail/mail.module.js';
import { UsersModule } from '../../users/users.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ExchangeModule } from '../exchange/exchange.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AccountLinking } from './account-linking.js';
import { FlowCookies } from './flow-cookies.js';
import { FlowFailures } from './flow-failures.js';
import { FlowQuery } from './flow-query.js';
import { Identities } from './identities.js';
import { IdentityProviders } from './identity-providers.js';
import { LinkNotices } from './link-notices.js';
import { LinkWishes } from './link-wishes.js';
import { ProviderAnswers } from './provider-answers.js';
import { ProvenAccounts } from './proven-accounts.js';
import { ProviderSignIn } from './provider-sign-in.service.js';
import { ProviderSignUp } from './provider-sign-up.js';
import { ProvidersController } from './providers.controller.js';
import { SpentProofs } from './spent-proofs.js';

/** Signing in with identity providers. */
@Module({
  imports: [AccountsModule, ExchangeModule, MailModule, SessionsModule, UsersModule],
  controllers: [ProvidersController],
  providers: [
    AccountLinking,
    FlowCookies,
    FlowFailures,
    FlowQuery,
    Identities,
    IdentityProviders,
    LinkNotices,
    LinkWishes,
    ProviderAnswers,
    ProvenAccounts,
    ProviderSignIn,
    ProviderSignUp,
    SpentProofs,
  ],
})
export class ProvidersModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./providers.openapi.js')).PROVIDERS_API);
  }
}
