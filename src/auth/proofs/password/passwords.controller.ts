import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { CurrentCaller, Public } from '../../../common/access/access.decorators.js';
import type { Caller } from '../../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import type { Page } from '../../../common/http/page.js';
import { UrlQuery } from '../../../common/http/url-query.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { requireEmail } from '../../../users/rows/user-columns.js';
import { IsOldPassword, IsPassword, Required } from '../../../users/user-fields.js';
import { SignInMethod } from '../../methods/sign-in-method.js';
import { IsForm, IsLinkToken, linkToken, OwnFormGuard } from '../../pages/own-form.guard.js';
import { newPasswordPage, passwordChangedPage } from '../../pages/own-pages.js';
import { LinkOwners } from '../challenges/link-owners.js';
import { RESEND_SECONDS, type MailAnswer } from '../challenges/mail-limits.js';
import { RESET_SECONDS } from '../challenges/mailed-links.js';
import { SendMailDto } from '../challenges/send-mail.dto.js';
import { PasswordChangeService } from './password-replacement.js';
import { ForgottenPasswords, PasswordResetService, type PasswordReset } from './password-reset.service.js';

const SENT = 'If there is an account for the address, a link for a new password has been sent.';
const CHANGED = 'Your password has been changed, and you were signed out everywhere. Sign in with the new one.';

/** Body of `POST /api/auth/password/change`. */
class ChangePasswordDto {
  @Required()
  @IsOldPassword()
  current_password!: string;

  @Required()
  @IsPassword()
  password!: string;
}

/** Body of `POST /api/auth/password/reset`. */
class ResetPasswordDto implements PasswordReset {
  @IsLinkToken()
  token!: string;

  @Required()
  @IsPassword()
  password!: string;
}

/** Another password, for a user who knows the present one, or has forgotten it. */
@Controller('api/auth/password')
@SignInMethod('password')
export class PasswordsController {
  constructor(
    private readonly changes: PasswordChangeService,
    private readonly forgotten: ForgottenPasswords,
    private readonly resets: PasswordResetService,
    private readonly owners: LinkOwners,
  ) {}

  @Post('change')
  @HttpCode(204)
  @Throttle(budget('login'))
  change(
    @Body() { current_password: currentPassword, password }: ChangePasswordDto,
    @CurrentCaller() caller: Caller,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<void> {
    return this.changes.change(caller, { currentPassword, password }, visitor);
  }

  /** All addresses are answered alike. */
  @Public()
  @Post('forgot')
  @HttpCode(200)
  @Throttle(budget('send'))
  async forgot(@Body() { email }: SendMailDto, @CurrentVisitor() visitor: Visitor): Promise<MailAnswer> {
    await this.forgotten.send(requireEmail(email), visitor);
    return { message: SENT, expires_in: RESET_SECONDS, resend_in: RESEND_SECONDS };
  }

  /** Spends nothing. */
  @Public()
  @Get('reset')
  async page(@UrlQuery() query: URLSearchParams): Promise<Page> {
    const token = linkToken(query);
    return newPasswordPage(token, await this.owners.requireOpen('password_reset', token));
  }

  @Public()
  @Post('reset')
  @HttpCode(200)
  @Throttle(budget('verify'))
  @UseGuards(OwnFormGuard)
  async reset(
    @Body() body: ResetPasswordDto,
    @IsForm() isForm: boolean,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<{ readonly message: string } | Page> {
    await this.owners.naming('password_reset', body.token, () => this.resets.reset(body, visitor));
    return isForm ? passwordChangedPage() : { message: CHANGED };
  }
}
