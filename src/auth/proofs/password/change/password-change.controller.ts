import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import { CurrentCaller } from '../../../../common/access/access.decorators.js';
import type { Caller } from '../../../../common/access/caller.js';
import { CurrentVisitor, type Visitor } from '../../../../common/access/visitor.js';
import { budget } from '../../../../common/rate-limits/budgets.js';
import { SignInMethod } from '../../../methods/sign-in-method.js';
import { PasswordChangeService } from './password-change.service.js';
import { IsOldPassword, IsPassword, Required } from '../../../../users/user-fields.js';

/** Body of `POST /api/auth/password/change`. */
class ChangePasswordDto {
  @Required()
  @IsOldPassword()
  current_password!: string;

  @Required()
  @IsPassword()
  password!: string;
}

/** Another password, for a user who knows the present one. */
@Controller('api/auth/password')
@SignInMethod('password')
export class PasswordChangeController {
  constructor(private readonly changes: PasswordChangeService) {}

  @Post('change')
  @HttpCode(204)
  @Throttle(budget('login'))
  change(
    @Body() { current_password: currentPassword, password }: ChangePasswordDto,
    @CurrentCaller() caller: Caller,
    @CurrentVisitor() visitor: Visitor,
  ): Promise<void> {
    return this.changes.change(caller, { currentPassword, password }, visitor);
  }
}
