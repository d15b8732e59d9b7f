import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { FreshSignIn, Public, RequireScope } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import type { Answer } from '../../../common/http/answer.js';
import type { Page } from '../../../common/http/page.js';
import { UrlQuery } from '../../../common/http/url-query.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { CurrentAuthority, type UserAuthority } from '../../../users/roles/user-authority.js';
import { IsForm, OwnFormGuard, linkToken } from '../../pages/own-form.guard.js';
import type { TokenAnswer } from '../../sessions/answers/sign-in-answers.js';
import { AcceptDto, InviteDto } from './invitation.dto.js';
import { LinkOwners } from '../challenges/link-owners.js';
import { InvitationAnswers, type InvitationAnswer } from './invitation-answers.js';

/** Bringing people in by mail. */
@Controller('api/auth/invitations')
export class InvitationsController {
  constructor(
    private readonly answers: InvitationAnswers,
    private readonly owners: LinkOwners,
  ) {}

  @Post()
  @RequireScope('users:write')
  @FreshSignIn()
  @Throttle(budget('users'))
  invite(@Body() body: InviteDto, @CurrentAuthority() authority: UserAuthority): Promise<Answer<InvitationAnswer>> {
    return this.answers.invite(body, authority);
  }

  /** Spends nothing. */
  @Public()
  @Get('accept')
  async page(@UrlQuery() query: URLSearchParams): Promise<Page> {
    const token = linkToken(query);
    return this.answers.page(token, await this.owners.requireOpen('invitation', token));
  }

  @Public()
  @Post('accept')
  @HttpCode(200)
  @Throttle(budget('verify'))
  @UseGuards(OwnFormGuard)
  accept(
    @Body() body: AcceptDto,
    @IsForm() isForm: boolean,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<TokenAnswer | Answer<TokenAnswer> | Page> {
    if (!isForm) return this.answers.accept(body, visitor);
    return this.owners.naming('invitation', body.token, () => this.answers.acceptInBrowser(body, visitor));
  }
}
