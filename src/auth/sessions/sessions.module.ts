import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../../common/openapi/openapi.registry.js';
import { UsersModule } from '../../users/users.module.js';
import { AccessTokenStrategy } from '../tokens/access/access-token-strategy.js';
import { AccessTokens } from '../tokens/access/access-tokens.js';
import { VerifiedAccess } from '../tokens/access/verified-access.js';
import { SignInFreshness } from '../guards/sign-in-freshness.js';
import { KeysModule } from '../tokens/keys/keys.module.js';
import { AuthLimit } from '../limits/auth-limit.js';
import { CookieSessions } from './cookie-sessions.js';
import { DeviceCookie } from '../limits/device-cookie.js';
import { Holders } from './holders.js';
import { LiveSessions } from '../tokens/access/live-sessions.js';
import { MeService } from './me.service.js';
import { NewDevices } from './new-devices.js';
import { RefreshController } from './refresh.controller.js';
import { RefreshCookie } from '../tokens/refresh/refresh-cookie.js';
import { RefreshService } from './refresh.service.js';
import { RefreshTokens } from '../tokens/refresh/refresh-tokens.js';
import { Refreshing } from './refreshing.js';
import { SameOrigin } from './same-origin.js';
import { SessionEnd } from './session-end.js';
import { SessionOpener } from './session-opener.js';
import { SessionTimes } from '../tokens/access/session-times.js';
import { Session } from '../tokens/access/session.entity.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { ShownTokens } from './shown-tokens.js';
import { SignInAnswers } from './sign-in-answers.js';
import { TokenAnswers } from './token-answers.js';

/** The sessions of users, and the tokens that prove them. */
@Module({
  imports: [KeysModule, UsersModule, TypeOrmModule.forFeature([Session])],
  controllers: [RefreshController, SessionsController],
  providers: [
    AccessTokens,
    AccessTokenStrategy,
    AuthLimit,
    CookieSessions,
    DeviceCookie,
    Holders,
    LiveSessions,
    MeService,
    NewDevices,
    RefreshCookie,
    Refreshing,
    RefreshService,
    RefreshTokens,
    SameOrigin,
    SessionEnd,
    SessionOpener,
    SessionsService,
    SessionTimes,
    ShownTokens,
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
    SessionEnd,
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
