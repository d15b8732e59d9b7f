import { Module } from '@nestjs/common';
import { UsersModule } from '../../../users/users.module.js';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { ExchangeModule } from '../../exchange/exchange.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { FlowCookies } from './flow/flow-cookies.js';
import { FlowQuery } from './flow/flow-query.js';
import { Directory } from './identity/directory.js';
import { Identities } from './identity/identities.js';
import { ReplayGuard } from './identity/replay-guard.js';
import { AccountLinking, ProviderSignUp } from './linking/account-linking.js';
import { AccountResolver } from './linking/account-resolver.js';
import { IdentitiesController, UserIdentitiesController } from './linking/identities.controller.js';
import { IdentityJobs } from './linking/identity-jobs.js';
import { LinkingUsers } from './linking/linking-users.js';
import { ProviderSessions } from './linking/provider-sessions.js';
import { UnlinkingService, Unlinking } from './linking/unlinking.service.js';
import { BackchannelLogoutController } from './logout/backchannel-logout.controller.js';
import { BackchannelLogoutService, ProviderSessionRevocation } from './logout/backchannel-logout.service.js';
import { IdentityProviders } from './passport/identity-providers.js';
import { ProviderAnswers, ProviderSignInService } from './provider-answers.js';
import { ProvidersController } from './providers.controller.js';
import { LinkPages } from './redirect/link-pages.js';
import { LinkTickets } from './redirect/link-tickets.js';
import { ProviderLinksController } from './redirect/provider-links.controller.js';

/** Signing in with identity providers. */
@Module({
  imports: [AccountsModule, ExchangeModule, SessionsModule, UsersModule],
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
    Directory,
    FlowCookies,
    FlowQuery,
    Identities,
    IdentityJobs,
    IdentityProviders,
    LinkPages,
    LinkTickets,
    LinkingUsers,
    ProviderAnswers,
    AccountResolver,
    ProviderSessionRevocation,
    ProviderSessions,
    ProviderSignInService,
    ProviderSignUp,
    ReplayGuard,
    Unlinking,
    UnlinkingService,
  ],
})
export class ProvidersModule {}
