import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { Public } from '../../../common/access/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../../../common/access/visitor.js';
import type { Answer } from '../../../common/http/answer.js';
import { objectOf } from '../../../common/openapi/describe.js';
import { BodySchema, Endpoint, EndpointGroup } from '../../../common/openapi/endpoint.js';
import { budget } from '../../../common/rate-limits/budgets.js';
import { IsEmailAddress, IsOldPassword, Required } from '../../../users/user-fields.js';
import { STORED_PASSWORD, USER_EMAIL } from '../../../users/user-schemas.js';
import { SignInMethod } from '../../methods/sign-in-method.js';
import { SignInAnswers, type TokenAnswer, NEW_SESSION } from '../../sessions/answers/sign-in-answers.js';
import { TokenModeDto, TOKEN_MODE } from '../../sessions/answers/token-mode.dto.js';
import { LoginService, type Login } from './login.service.js';

/** Body of `POST /api/auth/login`. */
@BodySchema(
  'Login',
  objectOf({ email: USER_EMAIL, password: STORED_PASSWORD, mode: TOKEN_MODE }, { required: ['email', 'password'] }),
  { email: 'ann@example.com', password: 'correct horse battery' },
)
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
@EndpointGroup('Sign-in')
@SignInMethod('password')
export class LoginController {
  constructor(
    private readonly logins: LoginService,
    private readonly answers: SignInAnswers,
  ) {}

  @Post('login')
  @HttpCode(200)
  @Throttle(budget('login'))
  @Endpoint('login', 'Sign in by password', {
    description:
      'An unknown address, an account without a password and a wrong password are answered alike, and take as long. ' +
      'From the fifth failure on each one doubles the wait for the next try, on devices on which the user was signed in ' +
      'before (cookie `cms_device`) for each of them alone.',
    answers: { 200: NEW_SESSION },
    fails: ['invalid_credentials', 'account_disabled'],
  })
  async login(
    @Body() { mode, ...login }: LoginDto,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<TokenAnswer | Answer<TokenAnswer>> {
    return this.answers.of(await this.logins.login(login, visitor), mode);
  }
}
