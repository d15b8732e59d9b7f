import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../mail/mail.module.js';
import { UsersModule } from '../../users/users.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ExchangeModule } from '../exchange/exchange.module.js';
import { Challenge } from '../secrets/challenge.entity.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { Challenges } from './challenges/challenges.js';
import { CodeHashes } from './challenges/code-hashes.js';
import { LinkOwners } from './challenges/link-owners.js';
import { MailLimits } from './challenges/mail-limits.js';
import { MailboxOwners } from './challenges/mailbox-owners.js';
import { MailedLinks, Recipients } from './challenges/mailed-links.js';
import { FirstAdminJobs } from './invitation/first-admin-jobs.js';
import { InvitationAnswers, InvitationsController } from './invitation/invitations.controller.js';
import { InvitationsService, InvitedAccounts, InvitationAcceptanceService } from './invitation/invitations.service.js';
import { MagicLinkAnswers, MagicLinkController } from './magic-link/magic-link.controller.js';
import { MagicLinkService } from './magic-link/magic-link.service.js';
import { MailSignInService } from './mail/mail-sign-in.service.js';
import { SignInMailAnswers } from './mail/sign-in-mail-answers.js';
import { SignInChallenges, SignInMails } from './mail/sign-in-mails.js';
import { OtpController } from './otp/otp.controller.js';
import { CodeCheck, CodeTries, OtpService } from './otp/otp.service.js';
import { LoginController } from './password/login.controller.js';
import { LoginService, PasswordCheck } from './password/login.service.js';
import { PasswordReplacement, PasswordChangeService } from './password/password-replacement.js';
import { ForgottenPasswords, PasswordResetService } from './password/password-reset.service.js';
import { PasswordsController } from './password/passwords.controller.js';

/** Ways to prove who one is: a password, or what was mailed. */
@Module({
  imports: [
    AccountsModule,
    ExchangeModule,
    MailModule,
    SessionsModule,
    TypeOrmModule.forFeature([Challenge]),
    UsersModule,
  ],
  controllers: [InvitationsController, LoginController, MagicLinkController, OtpController, PasswordsController],
  providers: [
    Challenges,
    CodeCheck,
    CodeHashes,
    CodeTries,
    FirstAdminJobs,
    ForgottenPasswords,
    InvitationAcceptanceService,
    InvitationAnswers,
    InvitationsService,
    InvitedAccounts,
    LinkOwners,
    LoginService,
    MagicLinkAnswers,
    MagicLinkService,
    MailboxOwners,
    MailedLinks,
    MailLimits,
    MailSignInService,
    OtpService,
    PasswordChangeService,
    PasswordCheck,
    PasswordReplacement,
    PasswordResetService,
    Recipients,
    SignInChallenges,
    SignInMailAnswers,
    SignInMails,
  ],
  exports: [Challenges, CodeCheck, LinkOwners, MailedLinks, PasswordCheck],
})
export class ProofsModule {}
