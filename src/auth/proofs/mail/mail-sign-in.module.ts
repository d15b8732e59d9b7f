import { Module } from '@nestjs/common';
import { OpenApiRegistry } from '../../../common/openapi/openapi.registry.js';
import { MailModule } from '../../../mail/mail.module.js';
import { UsersModule } from '../../../users/users.module.js';
import { ExchangeModule } from '../../exchange/exchange.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { ChallengesModule } from '../challenges/challenges.module.js';
import { LinkRedirects } from './link-redirects.js';
import { MailSignInService } from './mail-sign-in.service.js';
import { SignInChallenges } from './sign-in-challenges.js';
import { SignInLetters } from './sign-in-letters.js';
import { SignInMailAnswers } from './sign-in-mail-answers.js';
import { SignInMails } from './sign-in-mails.js';

/** Mails with a code and a link, either of which opens a session. */
@Module({
  imports: [ChallengesModule, ExchangeModule, MailModule, SessionsModule, UsersModule],
  providers: [LinkRedirects, MailSignInService, SignInChallenges, SignInLetters, SignInMailAnswers, SignInMails],
  exports: [LinkRedirects, MailSignInService, SignInMailAnswers],
})
export class MailSignInModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./challenges.openapi.js')).CHALLENGES_API);
  }
}
