import { IsPassword, Required } from '../../../../users/user-fields.js';
import { IsLinkToken } from '../../../pages/link-token.js';
import type { PasswordReset } from './password-reset.service.js';

/** Body of `POST /api/auth/password/reset`. */
export class ResetPasswordDto implements PasswordReset {
  @IsLinkToken()
  token!: string;

  @Required()
  @IsPassword()
  password!: string;
}
