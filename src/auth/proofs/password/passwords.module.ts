import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../../../common/openapi/openapi.registry.js';
import { UsersModule } from '../../../users/users.module.js';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { ChallengesModule } from '../challenges/challenges.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { ForgottenPasswords } from './reset/forgotten-passwords.js';
import { LoginController } from './login/login.controller.js';
import { LoginService } from './login/login.service.js';
import { PasswordChangeController } from './change/password-change.controller.js';
import { PasswordChangeService } from './change/password-change.service.js';
import { PasswordCheck } from './login/password-check.js';
import { PasswordReplacement } from './change/password-replacement.js';
import { PasswordResetAnswers } from './reset/password-reset-answers.js';
import { PasswordResetController } from './reset/password-reset.controller.js';
import { PasswordResetService } from './reset/password-reset.service.js';

/** Signing in by password. */
@Module({
  imports: [AccountsModule, ChallengesModule, SessionsModule, UsersModule],
  controllers: [LoginController, PasswordChangeController, PasswordResetController],
  providers: [
    ForgottenPasswords,
    LoginService,
    PasswordChangeService,
    PasswordCheck,
    PasswordReplacement,
    PasswordResetAnswers,
    PasswordResetService,
  ],
  exports: [PasswordCheck, PasswordReplacement],
})
export class PasswordsModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./login/login.openapi.js')).LOGIN_API);
    registry.add(async () => (await import('./reset/password-reset.openapi.js')).PASSWORD_RESET_API);
  }
}
