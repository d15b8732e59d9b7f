import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { Public } from '../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../common/access/visitor.js';
import { IsString, Matches } from '../../common/dto-rules.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { Endpoint, EndpointGroup } from '../../common/openapi/endpoint.js';
import { DescribedBody, Field, OptionalField } from '../../common/openapi/body.js';
import { SignInAnswers, NEW_SESSION, TokenModeDto } from '../sessions/answers/sign-in-answers.js';
import { CODE_VERIFIER, CODE_VERIFIER_RULE, ExchangeService } from './exchange-codes.js';

@DescribedBody('CodeExchange', { code: 'the-code-of-the-address' })
class ExchangeDto extends TokenModeDto {
  @Field({ type: 'string', description: 'From the address.' }, IsString({ message: 'code must be a string.' }))
  code!: string;

  @OptionalField(
    { type: 'string', pattern: CODE_VERIFIER.source, description: 'Needed if there was a `code_challenge`.' },
    Matches(CODE_VERIFIER, { message: CODE_VERIFIER_RULE }),
  )
  code_verifier?: string;
}

/** Gives tokens to a client that comes back from a sign-in with a one-time code. */
@Public()
@Controller('api/auth')
@EndpointGroup('Sign-in')
export class ExchangeController {
  constructor(
    private readonly exchanges: ExchangeService,
    private readonly answers: SignInAnswers,
  ) {}

  @Post('exchange')
  @UseGuards(NoQueryGuard)
  @Endpoint('exchangeCode', 'Exchange a one-time code for tokens', {
    description: 'The code works once, within 60 seconds. A second use ends the session of the first.',
    answers: { 200: NEW_SESSION },
    fails: ['invalid_code_exchange', 'account_disabled'],
  })
  async exchange(@Body() { code, code_verifier: verifier, mode }: ExchangeDto, @CurrentVisitor() visitor: Visitor) {
    return this.answers.of(await this.exchanges.exchange(code, verifier ?? null, visitor), mode);
  }
}
