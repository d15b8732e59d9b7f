import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Public, RequireScope } from '../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../common/access/visitor.js';
import type { Answer } from '../../common/http/answer.js';
import type { Page } from '../../common/http/page.js';
import { UrlQuery } from '../../common/http/url-query.js';
import { RateLimit } from '../../common/rate-limits/rate-limit.decorator.js';
import { CurrentAuthority, type Authority } from '../../users/user-authority.js';
import { linkToken } from '../pages/link-token.js';
import { IsForm, OwnFormGuard } from '../pages/own-form.js';
import type { TokenAnswer } from '../sessions/token-answer.js';
import { AcceptDto, InviteDto } from './invitation.dto.js';
import { InvitationAnswers, type InvitationAnswer } from './invitation-answers.js';

/** Bringing people in by mail. */
@Controller('api/auth/invitations')
export class InvitationsController {
  constructor(private readonly answers: InvitationAnswers) {}

  @Post()
  @RequireScope('users:write')
  @RateLimit('users')
  invite(@Body() body: InviteDto, @CurrentAuthority() authority: Authority): Promise<Answer<InvitationAnswer>> {
    return this.answers.invite(body, authority);
  }

  /** Spends nothing, and does not tell whether the token is any good. */
  @Public()
  @Get('accept')
  page(@UrlQuery() query: URLSearchParams): Page {
    return this.answers.page(linkToken(query));
  }

  @Public()
  @Post('accept')
  @HttpCode(200)
  @RateLimit('verify')
  @UseGuards(OwnFormGuard)
  accept(
    @Body() body: AcceptDto,
    @IsForm() isForm: boolean,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<TokenAnswer | Answer<TokenAnswer> | Page> {
    return isForm ? this.answers.acceptInBrowser(body, visitor) : this.answers.accept(body, visitor);
  }
}
