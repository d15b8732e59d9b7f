import { IsString } from '../../../../common/dto-rules.js';
import { IsPassword, Required } from '../../../../users/user-fields.js';
import type { PasswordReset } from './password-reset.service.js';

/** Body of `POST /api/auth/password/reset`. */
export class ResetPasswordDto implements PasswordReset {
  @IsString({ message: 'token must be a string.' })
  token!: string;

  @Required()
  @IsPassword()
  password!: string;
}
