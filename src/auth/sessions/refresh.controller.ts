import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { Public } from '../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../common/access/visitor.js';
import type { Answer } from '../../common/http/answer.js';
import { RefreshService } from './refresh.service.js';
import { RefreshDto } from './sessions.dto.js';
import { ShownTokens } from './shown-token.js';
import { SignInAnswers } from './sign-in-answers.js';
import type { TokenAnswer } from './token-answer.js';

/** New access tokens for sessions that go on. */
@Public()
@Controller('api/auth')
export class RefreshController {
  constructor(
    private readonly refreshes: RefreshService,
    private readonly shown: ShownTokens,
    private readonly answers: SignInAnswers,
  ) {}

  @Post('refresh')
  @HttpCode(200)
  async refresh(
    @Body() { refresh_token: token }: RefreshDto,
    @Headers() headers: IncomingHttpHeaders,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<TokenAnswer | Answer<TokenAnswer>> {
    const { claim, mode } = this.shown.require(token, headers);
    return this.answers.of(await this.refreshes.refresh(claim, visitor), mode);
  }
}
