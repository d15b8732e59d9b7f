import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { Public } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import type { Answer } from '../../../common/http/answer.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { IsEmailAddress, IsOldPassword, Required } from '../../../users/user-fields.js';
import { SignInMethod } from '../../methods/sign-in-method.js';
import { SignInAnswers, type TokenAnswer } from '../../sessions/answers/sign-in-answers.js';
import { TokenModeDto } from '../../sessions/answers/token-mode.dto.js';
import { LoginService, type Login } from './login.service.js';

/** Body of `POST /api/auth/login`. */
class LoginDto extends TokenModeDto implements Login {
  @Required()
  @IsEmailAddress()
  email!: string;

  @Required()
  @IsOldPassword()
  password!: string;
}

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
