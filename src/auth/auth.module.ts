import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../mail/mail.module.js';
import { CredentialLookup } from '../users/rows/credential-lookup.js';
import { UsersModule } from '../users/users.module.js';
import { AccountCredentials, ActingAdminCheck } from './accounts/account-credentials.js';
import { ChangedAccounts, CredentialCaches, CredentialRevocation } from './accounts/credential-revocation.js';
import { Identity } from './accounts/identity.entity.js';
import { ManagedRoleRemoval, ProvenMailbox } from './accounts/proven-mailbox.js';
import { SignInJobs } from './accounts/sign-in-jobs.js';
import { SignUp } from './accounts/sign-up.js';
import { CheckController } from './check/check.controller.js';
import { ExchangeCodes, ExchangeService } from './exchange/exchange-codes.js';
import { ExchangeController } from './exchange/exchange.controller.js';
import { RedirectTargets } from './exchange/redirect-targets.js';
import { BearerGuard, CallerReader, CallerResolver } from './guards/bearer.guard.js';
import { ForeignTokens } from './issuers/foreign-tokens.js';
import { GatewayIdentity } from './issuers/gateway-identity.js';
import { IssuerAccounts, IssuerUsers } from './issuers/issuer-users.js';
import { AccountLocks, AccountTries } from './limits/account-tries.js';
import { AuthLimit } from './limits/auth-limit.js';
import { Counter } from './limits/counter.entity.js';
import { DeviceCookie, KnownClients } from './limits/known-clients.js';
import { SignInMethodsController } from './methods/sign-in-methods.controller.js';
import { LockDownLinks, NoticeMailer, Notices } from './notices/notice-mailer.js';
import { AskedMails } from './proofs/challenges/asked-mails.js';
import { Challenges } from './proofs/challenges/challenges.js';
import { MailLimits } from './proofs/challenges/mail-limits.js';
import { MailboxOwners } from './proofs/challenges/mailbox-owners.js';
import { MailedLinks } from './proofs/challenges/mailed-links.js';
import { InvitationsController } from './proofs/invitation/invitations.controller.js';
import {
  FirstAdminJobs,
  InvitationAcceptanceService,
  InvitationsService,
  InvitedAccounts,
} from './proofs/invitation/invitations.service.js';
import { MagicLinkController } from './proofs/magic-link/magic-link.controller.js';
import { MagicLinkService, SignInMails } from './proofs/mail/sign-in-mails.js';
import { OtpController } from './proofs/otp/otp.controller.js';
import { CodeCheck, CodeTries, OtpService } from './proofs/otp/otp.service.js';
import { LoginService, PasswordCheck } from './proofs/password/login.service.js';
import {
  PasswordChangeService,
  PasswordReplacement,
  PasswordResetService,
} from './proofs/password/password-replacement.js';
import { PasswordsController } from './proofs/password/passwords.controller.js';
import { FlowCookies } from './proofs/provider/flow/flow-cookies.js';
import { Directory } from './proofs/provider/identity/directory.js';
import { Identities } from './proofs/provider/identity/identities.js';
import { ReplayGuard } from './proofs/provider/identity/replay-guard.js';
import { AccountLinking, AccountResolver, ProviderSignUp } from './proofs/provider/linking/account-linking.js';
import { IdentitiesController, UserIdentitiesController } from './proofs/provider/linking/identities.controller.js';
import { LinkingUsers } from './proofs/provider/linking/linking-users.js';
import { ProviderSessions, Unlinking, UnlinkingService } from './proofs/provider/linking/unlinking.service.js';
import {
  BackchannelLogoutController,
  BackchannelLogoutService,
} from './proofs/provider/logout/backchannel-logout.controller.js';
import { IdentityProviders } from './proofs/provider/passport/identity-providers.js';
import { ProviderAnswers, ProviderSignInService } from './proofs/provider/provider-answers.js';
import { ProviderLinksController, ProvidersController } from './proofs/provider/providers.controller.js';
import { LinkPages, LinkTickets } from './proofs/provider/redirect/link-tickets.js';
import { ProviderRedirects } from './proofs/provider/redirect/provider-redirects.js';
import { Challenge } from './secrets/challenge.entity.js';
import { AccountSecurityReader } from './security/account-security-reader.js';
import { LockDownService, LockedAccounts } from './security/lock-down.service.js';
import { LockDownController, SecurityController } from './security/security.controller.js';
import { UserCredentialsService, UserTokensService } from './security/user-credentials.service.js';
import {
  UserRemovalController,
  UserSecurityController,
  UserTokensController,
} from './security/user-security.controller.js';
import { SignInAnswers } from './sessions/answers/sign-in-answers.js';
import { SessionOpener } from './sessions/lifecycle/session-opener.js';
import { SessionRevocation, SessionsService } from './sessions/lifecycle/sessions.service.js';
import { SignInFreshness } from './sessions/lifecycle/sign-in-freshness.js';
import { PresentedTokens, RefreshService, SameOrigin } from './sessions/refreshing/presented-tokens.js';
import { MeService, RefreshController, SessionsController } from './sessions/sessions.controller.js';
import { StepUpController } from './step-up/step-up.controller.js';
import { SessionElevation, StepUpService } from './step-up/step-up.service.js';
import { Session } from './tokens/access/session.entity.js';
import { AccessTokens, LiveSessions, SessionTimes, VerifiedAccess } from './tokens/access/verified-access.js';
import { ApiTokensController, OwnTokensController } from './tokens/api/api-tokens.controller.js';
import { ApiTokensService } from './tokens/api/api-tokens.service.js';
import { ApiToken } from './tokens/api/rows/api-token.entity.js';
import { ConfiguredTokens } from './tokens/api/rows/configured-tokens.js';
import { TokenRows } from './tokens/api/rows/token-rows.js';
import { TokenWarnings } from './tokens/api/token-warnings.js';
import { LastUse, VerifiedTokens } from './tokens/api/verified-tokens.js';
import { KeysController } from './tokens/keys/keys.controller.js';
import { SigningKeyEntity } from './tokens/keys/signing-key.entity.js';
import { SigningKeys } from './tokens/keys/signing-keys.js';
import { RefreshCookie, RefreshTokens } from './tokens/refresh/refresh-tokens.js';

/** Identifies the sender of a request, and decides what they may do. */
@Module({
  imports: [
    MailModule,
    TypeOrmModule.forFeature([ApiToken, Challenge, Counter, Identity, Session, SigningKeyEntity]),
    UsersModule,
  ],
  controllers: [
    ApiTokensController,
    BackchannelLogoutController,
    CheckController,
    ExchangeController,
    IdentitiesController,
    InvitationsController,
    KeysController,
    LockDownController,
    MagicLinkController,
    OtpController,
    OwnTokensController,
    PasswordsController,
    ProviderLinksController,
    ProvidersController,
    RefreshController,
    SecurityController,
    SessionsController,
    SignInMethodsController,
    StepUpController,
    UserIdentitiesController,
    UserRemovalController,
    UserSecurityController,
    UserTokensController,
  ],
  providers: [
    // Sessions, and the tokens of people and programs.
    AccessTokens,
    ApiTokensService,
    AuthLimit,
    ConfiguredTokens,
    DeviceCookie,
    LastUse,
    LiveSessions,
    MeService,
    PresentedTokens,
    RefreshCookie,
    RefreshService,
    RefreshTokens,
    SameOrigin,
    SessionOpener,
    SessionRevocation,
    SessionsService,
    SessionTimes,
    SignInAnswers,
    SignInFreshness,
    SigningKeys,
    TokenRows,
    TokenWarnings,
    VerifiedAccess,
    VerifiedTokens,
    // Work on accounts that every way to sign in shares.
    AccountCredentials,
    AccountLocks,
    AccountTries,
    ActingAdminCheck,
    ChangedAccounts,
    CredentialCaches,
    CredentialRevocation,
    KnownClients,
    ManagedRoleRemoval,
    ProvenMailbox,
    SignInJobs,
    SignUp,
    // Ways to prove who one is.
    AccountLinking,
    AccountResolver,
    AskedMails,
    BackchannelLogoutService,
    Challenges,
    CodeCheck,
    CodeTries,
    Directory,
    ExchangeCodes,
    ExchangeService,
    FirstAdminJobs,
    FlowCookies,
    Identities,
    IdentityProviders,
    InvitationAcceptanceService,
    InvitationsService,
    InvitedAccounts,
    LinkingUsers,
    LinkPages,
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
    RedirectTargets,
    ReplayGuard,
    SignInMails,
    Unlinking,
    UnlinkingService,
    // Callers of requests, and the accounts that they look after.
    AccountSecurityReader,
    CallerReader,
    CallerResolver,
    ForeignTokens,
    GatewayIdentity,
    IssuerAccounts,
    IssuerUsers,
    LockDownLinks,
    LockDownService,
    LockedAccounts,
    NoticeMailer,
    Notices,
    SessionElevation,
    StepUpService,
    UserCredentialsService,
    UserTokensService,
    { provide: APP_GUARD, useClass: BearerGuard },
  ],
})
export class AuthModule {
  constructor(lookup: CredentialLookup, credentials: AccountCredentials, changed: ChangedAccounts) {
    lookup.use(credentials, changed);
  }
}
