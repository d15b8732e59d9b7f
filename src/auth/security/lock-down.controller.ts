import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { SkipThrottle, Throttle } from '@nestjs/throttler';
import { Public } from '../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../common/access/visitor.js';
import type { Page } from '../../common/http/page.js';
import { UrlQuery } from '../../common/http/url-query.js';
import { budget } from '../../common/rate-limits/budgets.js';
import { IsForm, OwnFormGuard, IsLinkToken, linkToken } from '../pages/own-form.guard.js';
import { LockDownAnswers, type LockDownAnswer } from './lock-down-answers.js';

/** Body of `POST /api/auth/lock-down`. */
export class LockDownDto {
  @IsLinkToken()
  token!: string;
}

/** Locking an account down by the link of a notice. */
@Public()
@Controller('api/auth/lock-down')
@Throttle(budget('lockDown'))
@SkipThrottle({ auth: true })
export class LockDownController {
  constructor(private readonly answers: LockDownAnswers) {}

  @Get()
  page(@UrlQuery() query: URLSearchParams): Promise<Page> {
    return this.answers.page(linkToken(query));
  }

  @Post()
  @HttpCode(200)
  @UseGuards(OwnFormGuard)
  lock(
    @Body() { token }: LockDownDto,
    @IsForm() isForm: boolean,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<LockDownAnswer | Page> {
    return this.answers.byLink(token, { isForm, visitor });
  }
}
