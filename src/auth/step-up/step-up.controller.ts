import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { CurrentCaller } from '../../common/access/access.decorators.js';
import type { Caller } from '../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../common/access/visitor.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import { NoQueryGuard } from '../../common/http/routes/no-query.guard.js';
import { budget } from '../../common/rate-limits/budgets.js';
import { Settings } from '../../config/settings.js';
import { IfSent, IsOldPassword } from '../../users/user-fields.js';
import type { Methods } from '../methods/sign-in-methods.js';
import { IsCode } from '../proofs/otp/verify-code.dto.js';
import { AccessTokens } from '../tokens/access/access-tokens.js';
import { ACCESS_TOKEN_SECONDS } from '../tokens/keys/key-ring.js';
import { StepUpService, type Shown } from './step-up.service.js';

/** Body of `POST /api/auth/step-up`: one of the two. */
class StepUpDto {
  @IfSent()
  @IsOldPassword()
  password?: string;

  @IfSent()
  @IsCode()
  code?: string;
}

/** The access token of a session whose sign-in is fresh again. Its refresh token stays what it was. */
export interface StepUpAnswer {
  readonly token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
}

/** Confirming who one is, for what takes a fresh sign-in. */
@Controller('api/auth')
export class StepUpController {
  constructor(
    private readonly steps: StepUpService,
    private readonly tokens: AccessTokens,
    private readonly settings: Settings,
  ) {}

  @Post('step-up')
  @HttpCode(200)
  @Throttle(budget('login'))
  @UseGuards(NoQueryGuard)
  async stepUp(
    @Body() body: StepUpDto,
    @CurrentCaller() caller: Caller,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<StepUpAnswer> {
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
