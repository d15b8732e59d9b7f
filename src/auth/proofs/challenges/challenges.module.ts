import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../../mail/mail.module.js';
import { UsersModule } from '../../../users/users.module.js';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { Challenge } from '../../secrets/challenge.entity.js';
import { Challenges } from './challenges.js';
import { CodeHashes } from './code-hashes.js';
import { LinkOwners } from './link-owners.js';
import { Links } from './links.js';
import { MailboxOwners } from './mailbox-owners.js';
import { MailedLinks } from './mailed-links.js';
import { MailLimits } from './mail-limits.js';
import { Recipients } from './recipients.js';

const SERVICES = [Challenges, CodeHashes, LinkOwners, Links, MailboxOwners, MailedLinks, MailLimits, Recipients];

/** Codes and links that are sent by mail, and who they reach. */
@Module({
  imports: [AccountsModule, MailModule, UsersModule, TypeOrmModule.forFeature([Challenge])],
  providers: SERVICES,
  exports: SERVICES,
})
export class ChallengesModule {}
