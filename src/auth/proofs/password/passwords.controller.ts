import { Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { CurrentCaller, Public } from '../../../common/access/access.decorators.js';
import type { Caller } from '../../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import { UrlQuery } from '../../../common/http/url-query.js';
import {
  answer,
  answerOrPage,
  emptyAnswer,
  LINK_TOKEN_EXAMPLE,
  PASSWORD_EXAMPLE,
} from '../../../common/openapi/describe.js';
import { Endpoint, EndpointGroup } from '../../../common/openapi/endpoint.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { DescribedBody, Field } from '../../../common/openapi/body.js';
import { IsEmailAddress, IsOldPassword, IsPassword, requireEmail } from '../../../users/user-fields.js';
import { NEW_PASSWORD, STORED_PASSWORD, USER_EMAIL } from '../../../users/user-schemas.js';
import { SignInMethod } from '../../methods/sign-in-methods.js';
import { IsForm, IsLinkToken, linkToken, OwnFormGuard } from '../../pages/own-form.guard.js';
import { newPasswordPage, passwordChangedPage, FormPage, MESSAGE, PROOF_FAILURES } from '../../pages/own-pages.js';
import { SignInAnswers, NEW_SESSION, TokenModeDto } from '../../sessions/answers/sign-in-answers.js';
import { MAIL_ANSWER, SendMailDto } from '../challenges/asked-mails.js';
import { RESEND_SECONDS } from '../challenges/mail-limits.js';
import { MailedLinks, RESET_SECONDS } from '../challenges/mailed-links.js';
import { LoginService } from './login.service.js';
import { PasswordChangeService, PasswordResetService } from './password-replacement.js';

const SENT = 'If there is an account for the address, a link for a new password has been sent.';
const CHANGED = 'Your password has been changed, and you were signed out everywhere. Sign in with the new one.';

/** Body of `POST /api/auth/login`. */
@DescribedBody('Login', { email: 'ann@example.com', password: 'correct horse battery' })
class LoginDto extends TokenModeDto {
  @Field(USER_EMAIL, IsEmailAddress())
  email!: string;

  @Field(STORED_PASSWORD, IsOldPassword())
  password!: string;
}

/** Body of `POST /api/auth/password/change`. */
@DescribedBody('PasswordChange', { current_password: 'correct horse battery', password: 'battery staple correct' })
class ChangePasswordDto {
  @Field(STORED_PASSWORD, IsOldPassword())
  current_password!: string;

  @Field(NEW_PASSWORD, IsPassword())
  password!: string;
}

/** Body of `POST /api/auth/password/reset`. */
@DescribedBody('PasswordReset', { token: LINK_TOKEN_EXAMPLE, password: PASSWORD_EXAMPLE })
class ResetPasswordDto {
  @IsLinkToken()
  token!: string;

  @Field(NEW_PASSWORD, IsPassword())
  password!: string;
}

/** Signing in by password, and another password for a user who knows the present one, or has forgotten it. */
@Controller('api/auth')
@EndpointGroup('Sign-in')
@SignInMethod('password')
export class PasswordsController {
  constructor(
    private readonly logins: LoginService,
    private readonly answers: SignInAnswers,
    private readonly changes: PasswordChangeService,
    private readonly resets: PasswordResetService,
    private readonly links: MailedLinks,
  ) {}

  @Public()
  @Post('login')
  @Throttle(budget('login'))
  @Endpoint('login', 'Sign in by password', {
    description:
      'An unknown address, an account without a password and a wrong password are answered alike, and take as long. ' +
      'From the fifth failure on each one doubles the wait for the next try, on devices on which the user was signed in ' +
      'before (cookie `cms_device`) for each of them alone.',
    answers: { 200: NEW_SESSION },
    fails: ['invalid_credentials', 'account_disabled'],
  })
  async login(@Body() { mode, ...login }: LoginDto, @CurrentVisitor() visitor: Visitor) {
    return this.answers.of(await this.logins.login(login, visitor), mode);
  }

  @Post('password/change')
  @Throttle(budget('login'))
  @Endpoint('changePassword', 'Change my password', {
    description: 'All other sessions and all pending links of the user end; API tokens go on.',
    answers: { 204: emptyAnswer('The password is another one.') },
    fails: ['invalid_credentials'],
  })
  change(@Body() body: ChangePasswordDto, @CurrentCaller() caller: Caller, @CurrentVisitor() visitor: Visitor) {
    return this.changes.change(caller, body, visitor);
  }

  @Public()
  @Post('password/forgot')
  @Throttle(budget('send'))
  @Endpoint('forgotPassword', 'Ask for a new password by mail', {
    description: 'All addresses get the same answer. The mail has a link that works once, within 30 minutes.',
    answers: { 200: answer('A mail is on its way, if there is an account.', MAIL_ANSWER) },
  })
  async forgot(@Body() { email }: SendMailDto, @CurrentVisitor() visitor: Visitor) {
    await this.resets.mail(requireEmail(email), visitor);
    return { message: SENT, expires_in: RESET_SECONDS, resend_in: RESEND_SECONDS };
  }

  @Public()
  @Get('password/reset')
  @FormPage('showPasswordForm', 'The page behind the link for a new password')
  async page(@UrlQuery() query: URLSearchParams) {
    const token = linkToken(query);
    return newPasswordPage(token, await this.links.requireOpen('password_reset', token));
  }

  @Public()
  @Post('password/reset')
  @Throttle(budget('verify'))
  @UseGuards(OwnFormGuard)
  @Endpoint('resetPassword', 'Set a new password', {
    description:
      'Ends all sessions, pending links and personal API tokens of the user, and opens no session. A password that is refused does not spend the link.',
    answers: { 200: answerOrPage('The password has been changed.', MESSAGE) },
    fails: PROOF_FAILURES,
    forBrowsers: true,
  })
  async reset(@Body() body: ResetPasswordDto, @IsForm() isForm: boolean, @CurrentVisitor() visitor: Visitor) {
    await this.links.naming('password_reset', body.token, () => this.resets.reset(body, visitor));
    return isForm ? passwordChangedPage() : { message: CHANGED };
  }
}
