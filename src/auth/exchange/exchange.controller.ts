import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Public } from '../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../common/access/visitor.js';
import { IsString, Matches } from '../../common/dto-rules.js';
import type { Answer } from '../../common/http/answer.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { IfSent, Required } from '../../users/user-fields.js';
import { SignInAnswers, type TokenAnswer } from '../sessions/answers/sign-in-answers.js';
import { TokenModeDto } from '../sessions/answers/token-mode.dto.js';
import { CODE_VERIFIER, CODE_VERIFIER_RULE } from './exchange-codes.js';
import { ExchangeService } from './exchange.service.js';

/** Body of `POST /api/auth/exchange`. */
class ExchangeDto extends TokenModeDto {
  @Required()
  @IsString({ message: 'code must be a string.' })
  code!: string;

  @IfSent()
  @Matches(CODE_VERIFIER, { message: CODE_VERIFIER_RULE })
  code_verifier?: string;
}

/** Tokens for a client that comes back from a sign-in with a one-time code. */
@Public()
@Controller('api/auth')
export class ExchangeController {
  constructor(
    private readonly exchanges: ExchangeService,
    private readonly answers: SignInAnswers,
  ) {}

  @Post('exchange')
  @HttpCode(200)
  @UseGuards(NoQueryGuard)
  async exchange(
    @Body() { code, code_verifier: verifier, mode }: ExchangeDto,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<TokenAnswer | Answer<TokenAnswer>> {
    return this.answers.of(await this.exchanges.exchange(code, verifier ?? null, visitor), mode);
  }
}
