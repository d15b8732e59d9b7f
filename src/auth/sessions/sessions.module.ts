import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../users/users.module.js';
import { AuthLimit } from '../limits/auth-limit.js';
import { DeviceCookie } from '../limits/known-clients.js';
import { LiveSessions, SessionTimes } from '../tokens/access/live-sessions.js';
import { Session } from '../tokens/access/session.entity.js';
import { AccessTokens, VerifiedAccess } from '../tokens/access/verified-access.js';
import { ApiTokensController, OwnTokensController } from '../tokens/api/api-tokens.controller.js';
import { ApiTokensService } from '../tokens/api/api-tokens.service.js';
import { ApiToken } from '../tokens/api/rows/api-token.entity.js';
import { ConfiguredTokens } from '../tokens/api/rows/configured-tokens.js';
import { TokenRows } from '../tokens/api/rows/token-rows.js';
import { TokenWarnings } from '../tokens/api/token-warnings.js';
import { LastUse, VerifiedTokens } from '../tokens/api/verified-tokens.js';
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
import { RefreshService } from './refreshing/refresh.service.js';
import { SameOrigin } from './refreshing/same-origin.js';
import { SessionsController, RefreshController, MeService } from './sessions.controller.js';

/** The sessions of users, the tokens that prove them, and those of programs. */
@Module({
  imports: [UsersModule, TypeOrmModule.forFeature([ApiToken, Session, SigningKeyEntity])],
  controllers: [ApiTokensController, KeysController, OwnTokensController, RefreshController, SessionsController],
  providers: [
    AccessTokens,
    ApiTokensService,
    AuthLimit,
    ConfiguredTokens,
    DeviceCookie,
    LastUse,
    LiveSessions,
    MeService,
    NewDevices,
    RefreshCookie,
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
    TokenRows,
    TokenWarnings,
    VerifiedAccess,
    VerifiedTokens,
  ],
  exports: [
    AccessTokens,
    ApiTokensService,
    AuthLimit,
    ConfiguredTokens,
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
    SessionTimes,
    SignInFreshness,
    VerifiedAccess,
    VerifiedTokens,
  ],
})
export class SessionsModule {}
