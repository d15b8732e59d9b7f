import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { Public } from '../../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../../common/access/visitor.js';
import type { Page } from '../../../../common/http/page.js';
import { UrlQuery } from '../../../../common/http/url-query.js';
import { budget } from '../../../../common/rate-limits/budgets.js';
import { SendMailDto } from '../../challenges/send-mail.dto.js';
import type { MailAnswer } from '../../challenges/mail-answer.js';
import { IsForm, OwnFormGuard, linkToken, IsLinkToken } from '../../../pages/own-form.guard.js';
import { SignInMethod } from '../../../methods/sign-in-method.js';
import { PasswordResetAnswers } from './password-reset-answers.js';
import { IsPassword, Required } from '../../../../users/user-fields.js';
import type { PasswordReset } from './password-reset.service.js';

/** Body of `POST /api/auth/password/reset`. */
class ResetPasswordDto implements PasswordReset {
  @IsLinkToken()
  token!: string;

  @Required()
  @IsPassword()
  password!: string;
}

/** A new password in place of a forgotten one. */
@Public()
@Controller('api/auth/password')
@SignInMethod('password')
export class PasswordResetController {
  constructor(private readonly answers: PasswordResetAnswers) {}

  @Post('forgot')
  @HttpCode(200)
  @Throttle(budget('send'))
  forgot(@Body() { email }: SendMailDto, @CurrentVisitor() visitor: Visitor): Promise<MailAnswer> {
    return this.answers.forgot(email, visitor);
  }

  /** Spends nothing. */
  @Get('reset')
  page(@UrlQuery() query: URLSearchParams): Promise<Page> {
    return this.answers.page(linkToken(query));
  }

  @Post('reset')
  @HttpCode(200)
  @Throttle(budget('verify'))
  @UseGuards(OwnFormGuard)
  reset(
    @Body() body: ResetPasswordDto,
    @IsForm() isForm: boolean,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<{ readonly message: string } | Page> {
    return this.answers.reset(body, { isForm, visitor });
  }
}
