import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../../common/openapi/openapi.registry.js';
import { MailModule } from '../../mail/mail.module.js';
import { UsersModule } from '../../users/users.module.js';
import { AccessTokenStrategy } from '../access-tokens/access-token-strategy.js';
import { AccessTokens } from '../access-tokens/access-tokens.js';
import { VerifiedAccess } from '../access-tokens/verified-access.js';
import { KeysModule } from '../keys/keys.module.js';
import { Holders } from './holders.js';
import { LiveSessions } from './live-sessions.js';
import { MeService } from './me.service.js';
import { RefreshController } from './refresh.controller.js';
import { RefreshCookie } from './refresh-cookie.js';
import { RefreshService } from './refresh.service.js';
import { RefreshTokens } from './refresh-tokens.js';
import { Refreshing } from './refreshing.js';
import { SameOrigin } from './same-origin.js';
import { SessionEnd } from './session-end.js';
import { SessionOpener } from './session-opener.js';
import { SessionTimes } from './session-times.js';
import { Session } from './session.entity.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { ShownTokens } from './shown-token.js';
import { SignInAnswers } from './sign-in-answers.js';
import { TokenAnswers } from './token-answers.js';

/** The sessions of users, and the tokens that prove them. */
@Module({
  imports: [KeysModule, MailModule, UsersModule, TypeOrmModule.forFeature([Session])],
  controllers: [RefreshController, SessionsController],
  providers: [
    AccessTokens,
    AccessTokenStrategy,
    Holders,
    LiveSessions,
    MeService,
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
    TokenAnswers,
    VerifiedAccess,
  ],
  exports: [
    RefreshCookie,
    RefreshTokens,
    SessionEnd,
    SessionOpener,
    SessionsService,
    SignInAnswers,
    TokenAnswers,
    VerifiedAccess,
  ],
})
export class SessionsModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./sessions.openapi.js')).SESSIONS_API);
  }
}
