import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../mail/mail.module.js';
import { UsersModule } from '../../users/users.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ExchangeModule } from '../exchange/exchange.module.js';
import { Challenge } from '../secrets/challenge.entity.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AskedMails } from './challenges/asked-mails.js';
import { Challenges } from './challenges/challenges.js';
import { MailLimits } from './challenges/mail-limits.js';
import { LinkProofs, MailboxOwners } from './challenges/mailbox-owners.js';
import { MailedLinks } from './challenges/mailed-links.js';
import { FirstAdminJobs } from './invitation/first-admin-jobs.js';
import { InvitationsController } from './invitation/invitations.controller.js';
import { InvitationsService, InvitedAccounts, InvitationAcceptanceService } from './invitation/invitations.service.js';
import { MagicLinkController } from './magic-link/magic-link.controller.js';
import { MagicLinkService } from './magic-link/magic-link.service.js';
import { SignInMails } from './mail/sign-in-mails.js';
import { OtpController } from './otp/otp.controller.js';
import { CodeCheck, CodeTries, OtpService } from './otp/otp.service.js';
import { LoginService, PasswordCheck } from './password/login.service.js';
import { PasswordReplacement, PasswordChangeService } from './password/password-replacement.js';
import { PasswordResetService } from './password/password-reset.service.js';
import { PasswordsController } from './password/passwords.controller.js';
import { FlowCookies } from './provider/flow/flow-cookies.js';
import { Directory } from './provider/identity/directory.js';
import { Identities } from './provider/identity/identities.js';
import { ReplayGuard } from './provider/identity/replay-guard.js';
import { AccountLinking, AccountResolver, ProviderSignUp } from './provider/linking/account-linking.js';
import { IdentitiesController, UserIdentitiesController } from './provider/linking/identities.controller.js';
import { LinkingUsers } from './provider/linking/linking-users.js';
import { ProviderSessions } from './provider/linking/provider-sessions.js';
import { UnlinkingService, Unlinking } from './provider/linking/unlinking.service.js';
import {
  BackchannelLogoutController,
  BackchannelLogoutService,
} from './provider/logout/backchannel-logout.controller.js';
import { IdentityProviders } from './provider/passport/identity-providers.js';
import { ProviderAnswers, ProviderSignInService } from './provider/provider-answers.js';
import { ProviderLinksController, ProvidersController } from './provider/providers.controller.js';
import { LinkPages, LinkTickets } from './provider/redirect/link-tickets.js';
import { ProviderRedirects } from './provider/redirect/provider-redirects.js';

/** Ways to prove who one is: a password, what was mailed, or an identity provider. */
@Module({
  imports: [
    AccountsModule,
    ExchangeModule,
    MailModule,
    SessionsModule,
    TypeOrmModule.forFeature([Challenge]),
    UsersModule,
  ],
  controllers: [
    BackchannelLogoutController,
    IdentitiesController,
    InvitationsController,
    MagicLinkController,
    OtpController,
    PasswordsController,
    ProviderLinksController,
    ProvidersController,
    UserIdentitiesController,
  ],
  providers: [
    AccountLinking,
    AccountResolver,
    AskedMails,
    BackchannelLogoutService,
    Challenges,
    CodeCheck,
    CodeTries,
    Directory,
    FirstAdminJobs,
    FlowCookies,
    Identities,
    IdentityProviders,
    InvitationAcceptanceService,
    InvitationsService,
    InvitedAccounts,
    LinkingUsers,
    LinkPages,
    LinkProofs,
    LinkTickets,
    LoginService,
    MagicLinkService,
    MailboxOwners,
    MailedLinks,
    MailLimits,
    OtpService,
    PasswordChangeService,
    PasswordCheck,
    PasswordReplacement,
    PasswordResetService,
    ProviderAnswers,
    ProviderRedirects,
    ProviderSessions,
    ProviderSignInService,
    ProviderSignUp,
    ReplayGuard,
    SignInMails,
    Unlinking,
    UnlinkingService,
  ],
  exports: [Challenges, CodeCheck, MailedLinks, PasswordCheck],
})
export class ProofsModule {}
