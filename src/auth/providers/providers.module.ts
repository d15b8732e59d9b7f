import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../../common/openapi/openapi.registry.js';
import { UsersModule } from '../../users/users.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ChallengesModule } from '../proofs/challenges/challenges.module.js';
import { ExchangeModule } from '../exchange/exchange.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AccountLinking } from './account-linking.js';
import { BackchannelLogoutController } from './backchannel-logout.controller.js';
import { BackchannelLogoutService } from './backchannel-logout.service.js';
import { Departure } from './departure.js';
import { Directory } from './directory.js';
import { FlowCookies } from './flow-cookies.js';
import { FlowFailures } from './flow-failures.js';
import { FlowQuery } from './flow-query.js';
import { IdentitiesController } from './identities.controller.js';
import { Identities } from './identities.js';
import { IdentityProviders } from './identity-providers.js';
import { LinkPages } from './link-pages.js';
import { LinkTickets } from './link-tickets.js';
import { LinkingUsers } from './linking-users.js';
import { ProviderAnswers } from './provider-answers.js';
import { ProvenAccounts } from './proven-accounts.js';
import { ProviderLinks } from './provider-links.js';
import { ProviderLinksController } from './provider-links.controller.js';
import { ProviderSessionEnd } from './provider-session-end.js';
import { ProviderSessions } from './provider-sessions.js';
import { ProviderSignInService } from './provider-sign-in.service.js';
import { ProviderSignUp } from './provider-sign-up.js';
import { ProvidersController } from './providers.controller.js';
import { SpentProofs } from './spent-proofs.js';
import { Unlinking } from './unlinking.js';
import { UnlinkingService } from './unlinking.service.js';
import { UserIdentitiesController } from './user-identities.controller.js';

/** Signing in with identity providers. */
@Module({
  imports: [AccountsModule, ChallengesModule, ExchangeModule, SessionsModule, UsersModule],
  controllers: [
    BackchannelLogoutController,
    IdentitiesController,
    ProviderLinksController,
    ProvidersController,
    UserIdentitiesController,
  ],
  providers: [
    AccountLinking,
    BackchannelLogoutService,
    Departure,
    Directory,
    FlowCookies,
    FlowFailures,
    FlowQuery,
    Identities,
    IdentityProviders,
    LinkPages,
    LinkTickets,
    LinkingUsers,
    ProviderAnswers,
    ProvenAccounts,
    ProviderLinks,
    ProviderSessionEnd,
    ProviderSessions,
    ProviderSignInService,
    ProviderSignUp,
    SpentProofs,
    Unlinking,
    UnlinkingService,
  ],
})
export class ProvidersModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./providers.openapi.js')).PROVIDERS_API);
    registry.add(async () => (await import('./identities.openapi.js')).IDENTITIES_API);
  }
}
