import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { CurrentCaller } from '../../common/access/access.decorators.js';
import type { Caller } from '../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../common/access/visitor.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { answer, objectOf } from '../../common/openapi/describe.js';
import { Endpoint, EndpointGroup, named } from '../../common/openapi/endpoint.js';
import { budget } from '../../common/rate-limits/budgets.js';
import { Settings } from '../../config/settings.js';
import { DescribedBody, OptionalField } from '../../common/openapi/body.js';
import { IsOldPassword } from '../../users/user-fields.js';
import { STORED_PASSWORD } from '../../users/user-schemas.js';
import type { Methods } from '../methods/sign-in-methods.js';
import { IsCode, MAILED_CODE } from '../proofs/challenges/typed-code.js';
import { AccessTokens } from '../tokens/access/verified-access.js';
import { ACCESS_TOKEN_SECONDS } from '../tokens/keys/signing-keys.js';
import { StepUpService, type Shown } from './step-up.service.js';

/** Body of `POST /api/auth/step-up`: one of the two. */
@DescribedBody(
  'StepUp',
  { password: 'correct horse battery' },
  { description: 'Either of the two.', minProperties: 1, maxProperties: 1 },
)
class StepUpDto {
  @OptionalField(STORED_PASSWORD, IsOldPassword())
  password?: string;

  @OptionalField(MAILED_CODE, IsCode())
  code?: string;
}

/** The access token of a session whose sign-in is fresh again. Its refresh token stays what it was. */
const STEP_UP_ANSWER = named(
  'StepUpAnswer',
  objectOf({
    token: { type: 'string', description: 'Access token, in place of the one before.' },
    token_type: { type: 'string', const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Life of the access token, seconds.', examples: [900] },
  }),
);

/** Confirming who one is, for what takes a fresh sign-in. */
@Controller('api/auth')
@EndpointGroup('Sign-in')
export class StepUpController {
  constructor(
    private readonly steps: StepUpService,
    private readonly tokens: AccessTokens,
    private readonly settings: Settings,
  ) {}

  @Post('step-up')
  @Throttle(budget('login'))
  @UseGuards(NoQueryGuard)
  @Endpoint('stepUp', 'Confirm who I am', {
    description:
      'For what is refused with `insufficient_user_authentication`: makes the sign-in of the session a fresh one, by the ' +
      'password or by a code that `otp/send` mailed to the own address. Failures count as those of a sign-in. The session ' +
      'and its refresh token stay; go on with the access token of the answer.',
    answers: { 200: answer('An access token whose `auth_time` is now.', STEP_UP_ANSWER) },
    fails: ['invalid_credentials', 'invalid_code'],
  })
  async stepUp(@Body() body: StepUpDto, @CurrentCaller() caller: Caller, @CurrentVisitor() visitor: Visitor) {
    const raised = await this.steps.raise(caller, this.shown(body), visitor);
    return { token: await this.tokens.issue(raised), token_type: 'Bearer', expires_in: ACCESS_TOKEN_SECONDS };
  }

  /** @throws {ValidationError} none of the two, both, or one that is switched off */
  private shown({ password, code }: StepUpDto): Shown {
    const { methods } = this.settings.signIn;
    if (password !== undefined && code === undefined) {
      if (methods.has('password')) return { password };
      throw switchedOff('password', methods);
    }
    if (code !== undefined && password === undefined) {
      if (methods.has('otp')) return { code };
      throw switchedOff('code', methods);
    }
    throw fault('password', 'one_of', 'Send either password or code.');
  }
}

function switchedOff(field: 'password' | 'code', methods: Methods): ValidationError {
  const [other, instead] =
    field === 'password' ? (['otp', 'Send a code.'] as const) : (['password', 'Send the password.'] as const);
  const advice = methods.has(other) ? instead : 'Sign in again.';
  return fault(field, 'switched_off', `Signing in by ${field} is switched off here. ${advice}`);
}

function fault(field: string, rule: string, message: string): ValidationError {
  return new ValidationError([{ field, rule, message }]);
}
