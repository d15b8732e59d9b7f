import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { Public } from '../../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../../common/access/visitor.js';
import type { Answer } from '../../../../common/http/answer.js';
import { budget } from '../../../../common/rate-limits/budgets.js';
import { SignInMethod } from '../../../methods/sign-in-method.js';
import { SignInAnswers } from '../../../sessions/answers/sign-in-answers.js';
import type { TokenAnswer } from '../../../sessions/answers/token-answer.js';
import { LoginDto } from './login.dto.js';
import { LoginService } from './login.service.js';

/** Signing in by password. */
@Public()
@Controller('api/auth')
@SignInMethod('password')
export class LoginController {
  constructor(
    private readonly logins: LoginService,
    private readonly answers: SignInAnswers,
  ) {}

  @Post('login')
  @HttpCode(200)
  @Throttle(budget('login'))
  async login(
    @Body() { mode, ...login }: LoginDto,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<TokenAnswer | Answer<TokenAnswer>> {
    return this.answers.of(await this.logins.login(login, visitor), mode);
  }
}
