import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { Public } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import type { Answer } from '../../../common/http/answer.js';
import { AuthLimit, LimitedByHandler } from '../../limits/auth-limit.js';
import { RefreshService } from './refresh.service.js';
import { RefreshDto } from '../lifecycle/sessions.dto.js';
import { PresentedTokens } from './presented-tokens.js';
import { SignInAnswers } from '../answers/sign-in-answers.js';
import type { TokenAnswer } from '../answers/token-answer.js';

/** New access tokens for sessions that go on. */
@Public()
@Controller('api/auth')
export class RefreshController {
  constructor(
    private readonly refreshes: RefreshService,
    private readonly shown: PresentedTokens,
    private readonly answers: SignInAnswers,
    private readonly limit: AuthLimit,
  ) {}

  @Post('refresh')
  @HttpCode(200)
  @LimitedByHandler()
  async refresh(
    @Body() { refresh_token: token }: RefreshDto,
    @Headers() headers: IncomingHttpHeaders,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<TokenAnswer | Answer<TokenAnswer>> {
    const { claim, mode } = await this.limit.drawing(
      visitor,
      () => this.shown.require(token, headers),
      ({ claim: { sessionId } }) => sessionId,
    );
    return this.answers.refreshed(await this.refreshes.refresh(claim, visitor), mode);
  }
}
