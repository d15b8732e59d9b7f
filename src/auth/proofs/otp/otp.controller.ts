import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { Public } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import type { Answer } from '../../../common/http/answer.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { requireEmail } from '../../../users/rows/user-columns.js';
import { SignInMethod } from '../../methods/sign-in-method.js';
import { SignInAnswers, type TokenAnswer } from '../../sessions/answers/sign-in-answers.js';
import type { MailAnswer } from '../challenges/mail-limits.js';
import { SendMailDto } from '../challenges/send-mail.dto.js';
import { SignInMailAnswers } from '../mail/sign-in-mail-answers.js';
import { OtpService } from './otp.service.js';
import { VerifyCodeDto } from './verify-code.dto.js';

/** Signing in with a code from a mail. */
@Public()
@Controller('api/auth/otp')
@SignInMethod('otp')
export class OtpController {
  constructor(
    private readonly mails: SignInMailAnswers,
    private readonly codes: OtpService,
    private readonly answers: SignInAnswers,
  ) {}

  @Post('send')
  @HttpCode(200)
  @Throttle(budget('send'))
  send(@Body() { email }: SendMailDto, @CurrentVisitor() visitor: Visitor): Promise<MailAnswer> {
    return this.mails.code(email, visitor);
  }

  @Post('verify')
  @HttpCode(200)
  @Throttle(budget('verify'))
  async verify(
    @Body() { email, code, mode }: VerifyCodeDto,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<TokenAnswer | Answer<TokenAnswer>> {
    return this.answers.of(await this.codes.verify(requireEmail(email).key, code, visitor), mode);
  }
}
