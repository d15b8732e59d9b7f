import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../common/openapi/openapi.registry.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { Identity } from './accounts/identity.entity.js';
import { CallerReader } from './guards/caller-reader.js';
import { ApiTokensModule } from './tokens/api/api-tokens.module.js';
import { MagicLinkModule } from './proofs/magic-link/magic-link.module.js';
import { OtpModule } from './proofs/otp/otp.module.js';
import { CallerResolver, BearerGuard } from './guards/bearer.guard.js';
import { CheckController } from './check/check.controller.js';
import { ForeignTokens } from './issuers/foreign-tokens.js';
import { GatewayIdentity } from './issuers/gateway-identity.js';
import { IssuerAccounts } from './issuers/issuer-accounts.js';
import { IssuerJobs } from './issuers/issuer-jobs.js';
import { IssuerUsers } from './issuers/issuer-users.js';
import { VerifiedForeign } from './issuers/verified-foreign.js';
import { ExchangeModule } from './exchange/exchange.module.js';
import { InvitationsModule } from './proofs/invitation/invitations.module.js';
import { NoticesModule } from './notices/notices.module.js';
import { PasswordsModule } from './proofs/password/passwords.module.js';
import { ProvidersModule } from './proofs/provider/providers.module.js';
import { SecurityModule } from './security/security.module.js';
import { UserRemovalModule } from './user-removal/user-removal.module.js';
import { UsersModule } from '../users/users.module.js';
import { UserTokensModule } from './user-tokens/user-tokens.module.js';
import { SignInMethodsController } from './methods/sign-in-methods.controller.js';
import { StepUpModule } from './step-up/step-up.module.js';
import { SessionsModule } from './sessions/sessions.module.js';

/** Who sends a request, and what they may do. */
@Module({
  imports: [
    AccountsModule,
    ApiTokensModule,
    ExchangeModule,
    InvitationsModule,
    MagicLinkModule,
    NoticesModule,
    OtpModule,
    PasswordsModule,
    ProvidersModule,
    SecurityModule,
    SessionsModule,
    StepUpModule,
    TypeOrmModule.forFeature([Identity]),
    UserRemovalModule,
    UsersModule,
    UserTokensModule,
  ],
  controllers: [CheckController, SignInMethodsController],
  providers: [
    CallerReader,
    CallerResolver,
    ForeignTokens,
    GatewayIdentity,
    IssuerAccounts,
    IssuerJobs,
    IssuerUsers,
    VerifiedForeign,
    { provide: APP_GUARD, useClass: BearerGuard },
  ],
})
export class AuthModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./check/check.openapi.js')).CHECK_API);
    registry.add(async () => (await import('./methods/sign-in-methods.openapi.js')).SIGN_IN_METHODS_API);
  }
}
