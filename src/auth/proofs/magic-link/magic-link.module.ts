import { Module } from '@nestjs/common';
import { ExchangeModule } from '../../exchange/exchange.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { ChallengesModule } from '../challenges/challenges.module.js';
import { MagicLinkAnswers } from './magic-link-answers.js';
import { MagicLinkController } from './magic-link.controller.js';
import { MagicLinkService } from './magic-link.service.js';
import { MailSignInModule } from '../mail/mail-sign-in.module.js';

/** Sign-in with a link from a mail. */
@Module({
  imports: [ChallengesModule, ExchangeModule, MailSignInModule, SessionsModule],
  controllers: [MagicLinkController],
  providers: [MagicLinkAnswers, MagicLinkService],
})
export class MagicLinkModule {}
