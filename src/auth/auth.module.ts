import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { Identity } from './accounts/identity.entity.js';
import { CheckController } from './check/check.controller.js';
import { ExchangeModule } from './exchange/exchange.module.js';
import { CallerResolver, BearerGuard } from './guards/bearer.guard.js';
import { CallerReader } from './guards/caller-reader.js';
import { ForeignTokens } from './issuers/foreign-tokens.js';
import { GatewayIdentity } from './issuers/gateway-identity.js';
import { IssuerUsers, IssuerAccounts } from './issuers/issuer-users.js';
import { SignInMethodsController } from './methods/sign-in-methods.controller.js';
import { LockDownLinks, NoticeMailer } from './notices/notice-mailer.js';
import { Notices } from './notices/notices.js';
import { ProofsModule } from './proofs/proofs.module.js';
import { AccountSecurityReader, LivingTokens } from './security/account-security-reader.js';
import { LockDownService, LockedAccounts } from './security/lock-down.service.js';
import { LockDownController, SecurityController } from './security/security.controller.js';
import {
  UserRemovalController,
  UserSecurityController,
  UserTokensController,
} from './security/user-security.controller.js';
import { UserCredentialsService, UserTokensService } from './security/user-credentials.service.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { StepUpController } from './step-up/step-up.controller.js';
import { SessionElevation, StepUpService } from './step-up/step-up.service.js';
import { ApiToken } from './tokens/api/rows/api-token.entity.js';

/** Who sends a request, and what they may do. */
@Module({
  imports: [
    AccountsModule,
    ExchangeModule,
    MailModule,
    ProofsModule,
    SessionsModule,
    TypeOrmModule.forFeature([ApiToken, Identity]),
    UsersModule,
  ],
  controllers: [
    CheckController,
    LockDownController,
    SecurityController,
    SignInMethodsController,
    StepUpController,
    UserRemovalController,
    UserSecurityController,
    UserTokensController,
  ],
  providers: [
    AccountSecurityReader,
    CallerReader,
    CallerResolver,
    ForeignTokens,
    GatewayIdentity,
    IssuerAccounts,
    IssuerUsers,
    LivingTokens,
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
export class AuthModule {}
