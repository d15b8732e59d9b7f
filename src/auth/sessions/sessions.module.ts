import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../../common/openapi/openapi.registry.js';
import { UsersModule } from '../../users/users.module.js';
import { AccessTokens } from '../tokens/access/access-tokens.js';
import { VerifiedAccess } from '../tokens/access/verified-access.js';
import { SignInFreshness } from './lifecycle/sign-in-freshness.js';
import { KeysModule } from '../tokens/keys/keys.module.js';
import { AuthLimit } from '../limits/auth-limit.js';
import { CookieSessions } from './refreshing/cookie-sessions.js';
import { DeviceCookie } from '../limits/known-clients.js';
import { SessionLookup } from './session-lookup.js';
import { LiveSessions, SessionTimes } from '../tokens/access/live-sessions.js';
import { MeService } from './me.service.js';
import { NewDevices } from './lifecycle/new-devices.js';
import { RefreshController } from './refreshing/refresh.controller.js';
import { RefreshService } from './refreshing/refresh.service.js';
import { RefreshTokens, RefreshCookie } from '../tokens/refresh/refresh-tokens.js';
import { Refreshing } from './refreshing/refreshing.js';
import { SameOrigin } from './refreshing/same-origin.js';
import { SessionRevocation } from './lifecycle/session-revocation.js';
import { SessionOpener } from './lifecycle/session-opener.js';
import { Session } from '../tokens/access/session.entity.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './lifecycle/sessions.service.js';
import { PresentedTokens } from './refreshing/presented-tokens.js';
import { SignInAnswers, TokenAnswers } from './answers/sign-in-answers.js';

/** The sessions of users, and the tokens that prove them. */
@Module({
  imports: [KeysModule, UsersModule, TypeOrmModule.forFeature([Session])],
  controllers: [RefreshController, SessionsController],
  providers: [
    AccessTokens,
    AuthLimit,
    CookieSessions,
    DeviceCookie,
    SessionLookup,
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
    TokenAnswers,
    VerifiedAccess,
  ],
  exports: [
    AccessTokens,
    AuthLimit,
    CookieSessions,
    DeviceCookie,
    NewDevices,
    RefreshCookie,
    RefreshTokens,
    SameOrigin,
    SessionRevocation,
    SessionOpener,
    SessionsService,
    SignInAnswers,
    SignInFreshness,
    TokenAnswers,
    VerifiedAccess,
  ],
})
export class SessionsModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./sessions.openapi.js')).SESSIONS_API);
  }
}
