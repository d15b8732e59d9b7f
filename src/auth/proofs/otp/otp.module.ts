import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { ChallengesModule } from '../challenges/challenges.module.js';
import { CodeCheck } from './code-check.js';
import { CodeConfirmations } from './code-confirmations.js';
import { CodeTries } from './code-tries.js';
import { MailSignInModule } from '../mail/mail-sign-in.module.js';
import { OtpController } from './otp.controller.js';
import { OtpService } from './otp.service.js';

/** Sign-in with a code from a mail. */
@Module({
  imports: [AccountsModule, ChallengesModule, MailSignInModule, SessionsModule],
  controllers: [OtpController],
  providers: [CodeCheck, CodeConfirmations, CodeTries, OtpService],
  exports: [CodeConfirmations],
})
export class OtpModule {}
