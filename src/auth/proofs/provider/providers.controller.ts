import { Body, Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Public } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import { Answer } from '../../../common/http/answer.js';
import type { Page } from '../../../common/http/page.js';
import { NoHeadGuard } from '../../../common/http/routes/no-head.guard.js';
import { NoQueryGuard } from '../../../common/http/routes/no-query.guard.js';
import type { ProviderName } from '../../../config/provider-settings.js';
import type { TokenAnswer } from '../../sessions/answers/sign-in-answers.js';
import { type FlowOutcome, CurrentOutcome, CurrentProvider, LinkQuestion, ofEveryProvider } from './flow/flow.js';
import { callbackAddress } from './flow/flow-query.js';
import { IdTokenDto } from './id-token.dto.js';
import type { PresentedSession } from './identity/identity-provider.js';
import { ProviderAnswers } from './provider-answers.js';
import { CallbackGuard, RedirectGuard, ConfirmedLinkGuard, LinkGuard, LinkingSession } from './redirect/flow.guards.js';

type Tokens = TokenAnswer | Answer<TokenAnswer>;

/** Signing in with Google, Apple and an OpenID Connect provider. */
@Public()
@Controller('api/auth')
export class ProvidersController {
  constructor(private readonly answers: ProviderAnswers) {}

  /** Reached where a page asks first. */
  @Get(ofEveryProvider('redirect'))
  @UseGuards(RedirectGuard)
  redirect(@LinkQuestion() page: Page): Page {
    return page;
  }

  /** The form of the page. Never reached: its guard sends the browser away, or refuses. */
  @Post(ofEveryProvider('redirect'))
  @UseGuards(ConfirmedLinkGuard)
  confirm(): void {
    throw new Error('ConfirmedLinkGuard has answered.');
  }

  @Get(ofEveryProvider('callback'))
  @UseGuards(NoHeadGuard, CallbackGuard)
  async callback(
    @CurrentProvider() provider: ProviderName,
    @CurrentOutcome() outcome: FlowOutcome,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<Tokens | Answer<undefined>> {
    return this.answers.comeBack(provider, outcome, visitor);
  }

  @Post('apple/callback')
  receiveForm(@Body() form: unknown): Answer<undefined> {
    return Answer.seeOther(callbackAddress(form));
  }

  @Post(ofEveryProvider('token'))
  @HttpCode(200)
  @UseGuards(NoQueryGuard, LinkGuard)
  async token(
    @CurrentProvider() provider: ProviderName,
    @Body() body: IdTokenDto,
    @LinkingSession() session: PresentedSession | null,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<Tokens> {
    return this.answers.fromIdToken(provider, body, session, visitor);
  }
}
