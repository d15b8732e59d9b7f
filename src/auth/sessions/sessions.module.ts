import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../users/users.module.js';
import { AuthLimit } from '../limits/auth-limit.js';
import { DeviceCookie } from '../limits/known-clients.js';
import { AccessTokens } from '../tokens/access/access-tokens.js';
import { LiveSessions, SessionTimes } from '../tokens/access/live-sessions.js';
import { Session } from '../tokens/access/session.entity.js';
import { VerifiedAccess } from '../tokens/access/verified-access.js';
import { KeysController } from '../tokens/keys/keys.controller.js';
import { SigningKeyEntity } from '../tokens/keys/signing-key.entity.js';
import { SigningKeys } from '../tokens/keys/signing-keys.js';
import { RefreshTokens, RefreshCookie } from '../tokens/refresh/refresh-tokens.js';
import { SignInAnswers } from './answers/sign-in-answers.js';
import { SessionOpener, NewDevices } from './lifecycle/session-opener.js';
import { SessionRevocation } from './lifecycle/session-revocation.js';
import { SessionsService } from './lifecycle/sessions.service.js';
import { SignInFreshness } from './lifecycle/sign-in-freshness.js';
import { PresentedTokens } from './refreshing/presented-tokens.js';
import { RefreshService, Refreshing } from './refreshing/refresh.service.js';
import { SameOrigin } from './refreshing/same-origin.js';
import { SessionsController, RefreshController, MeService } from './sessions.controller.js';

/** The sessions of users, and the tokens that prove them. */
@Module({
  imports: [UsersModule, TypeOrmModule.forFeature([Session, SigningKeyEntity])],
  controllers: [KeysController, RefreshController, SessionsController],
  providers: [
    AccessTokens,
    AuthLimit,
    DeviceCookie,
    LiveSessions,
    MeService,
    NewDevices,
    RefreshCookie,
    Refreshing,
    RefreshService,
    RefreshTokens,
    SameOrigin,
    SessionRevocation,
    SessionOpener,
    SessionsService,
    SessionTimes,
    PresentedTokens,
    SignInAnswers,
    SignInFreshness,
    SigningKeys,
    VerifiedAccess,
  ],
  exports: [
    AccessTokens,
    AuthLimit,
    DeviceCookie,
    NewDevices,
    RefreshCookie,
    PresentedTokens,
    RefreshTokens,
    SameOrigin,
    SessionRevocation,
    SessionOpener,
    SessionsService,
    SignInAnswers,
    SignInFreshness,
    VerifiedAccess,
  ],
})
export class SessionsModule {}
