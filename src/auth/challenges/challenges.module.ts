import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OpenApiRegistry } from '../../common/openapi/openapi.registry.js';
import { MailModule } from '../../mail/mail.module.js';
import { UsersModule } from '../../users/users.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ExchangeModule } from '../exchange/exchange.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { Challenges } from './challenges.js';
import { CodeCheck } from './code-check.js';
import { CodeConfirmations } from './code-confirmations.js';
import { CodeTries } from './code-tries.js';
import { Destinations } from './destinations.js';
import { LinkOwners } from './link-owners.js';
import { Links } from './links.js';
import { MagicLinkAnswers } from './magic-link-answers.js';
import { MagicLinkController } from './magic-link.controller.js';
import { MagicLinkService } from './magic-link.service.js';
import { MailedLinks } from './mailed-links.js';
import { MailLimits } from './mail-limits.js';
import { MailSignInService } from './mail-sign-in.service.js';
import { MailboxOwners } from './mailbox-owners.js';
import { OtpController } from './otp.controller.js';
import { OtpService } from './otp.service.js';
import { Recipients } from './recipients.js';
import { CodeHashes } from './code-hashes.js';
import { SignInChallenges } from './sign-in-challenges.js';
import { SignInLetters } from './sign-in-letters.js';
import { SignInMailAnswers } from './sign-in-mail-answers.js';
import { SignInMails } from './sign-in-mails.js';
import { Challenge } from './challenge.entity.js';

/** Signing in by what comes in a mail. */
@Module({
  imports: [
    AccountsModule,
    ExchangeModule,
    MailModule,
    SessionsModule,
    UsersModule,
    TypeOrmModule.forFeature([Challenge]),
  ],
  controllers: [MagicLinkController, OtpController],
  providers: [
    Challenges,
    CodeCheck,
    CodeConfirmations,
    CodeHashes,
    CodeTries,
    Destinations,
    LinkOwners,
    Links,
    MagicLinkAnswers,
    MagicLinkService,
    MailboxOwners,
    MailLimits,
    MailedLinks,
    MailSignInService,
    OtpService,
    Recipients,
    SignInChallenges,
    SignInLetters,
    SignInMailAnswers,
    SignInMails,
  ],
  exports: [Challenges, CodeConfirmations, LinkOwners, Links, MailboxOwners, MailedLinks, MailLimits, Recipients],
})
export class ChallengesModule {
  constructor(registry: OpenApiRegistry) {
    registry.add(async () => (await import('./challenges.openapi.js')).CHALLENGES_API);
  }
}
