import { Module } from '@nestjs/common';
import { MailModule } from '../../mail/mail.module.js';
import { UsersModule } from '../../users/users.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ChallengesModule } from '../proofs/challenges/challenges.module.js';
import { LockDownLinks } from './lock-down-links.js';
import { NoticeMailer } from './notice-mailer.js';
import { Notices } from './notices.js';

/** Mails about what happens to accounts. */
@Module({
  imports: [AccountsModule, ChallengesModule, MailModule, UsersModule],
  providers: [LockDownLinks, NoticeMailer, Notices],
  exports: [LockDownLinks],
})
export class NoticesModule {}
