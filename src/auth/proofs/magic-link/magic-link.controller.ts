import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { Public } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import { UrlQuery } from '../../../common/http/url-query.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { CurrentClientKind, type ClientKind } from '../../pages/client-kind.js';
import { IsForm, OwnFormGuard, IsLinkToken } from '../../pages/own-form.guard.js';
import { SignInMethod } from '../../methods/sign-in-method.js';
import { SendLinkDto } from '../mail/send-link.dto.js';
import { MagicLinkAnswers, type LinkAnswer } from './magic-link-answers.js';
import type { MailAnswer } from '../challenges/mail-answer.js';
import { SignInMailAnswers } from '../mail/sign-in-mail-answers.js';
import { TokenModeDto } from '../../sessions/answers/token-mode.dto.js';

/** Body of `POST /api/auth/magic-link/verify`. */
class VerifyLinkDto extends TokenModeDto {
  @IsLinkToken()
  token!: string;
}

/** Signing in with a link from a mail. */
@Public()
@Controller('api/auth/magic-link')
@SignInMethod('magic-link')
export class MagicLinkController {
  constructor(
    private readonly mails: SignInMailAnswers,
    private readonly answers: MagicLinkAnswers,
  ) {}

  @Post()
  @HttpCode(200)
  @Throttle(budget('send'))
  send(@Body() body: SendLinkDto, @CurrentVisitor() visitor: Visitor): Promise<MailAnswer> {
    return this.mails.link(body, visitor);
  }

  @Get('verify')
  @Throttle(budget('verify'))
  visit(
    @CurrentClientKind() client: ClientKind,
    @UrlQuery() query: URLSearchParams,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<LinkAnswer> {
    return this.answers.visit(client, query, visitor);
  }

  @Post('verify')
  @HttpCode(200)
  @Throttle(budget('verify'))
  @UseGuards(OwnFormGuard)
  verify(
    @Body() { token, mode }: VerifyLinkDto,
    @IsForm() isForm: boolean,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<LinkAnswer> {
    return isForm ? this.answers.consumeInBrowser(token, visitor) : this.answers.consume(token, mode, visitor);
  }
}
