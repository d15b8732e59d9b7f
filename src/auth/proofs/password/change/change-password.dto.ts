import { IsOldPassword, IsPassword, Required } from '../../../../users/user-fields.js';

/** Body of `POST /api/auth/password/change`. */
export class ChangePasswordDto {
  @Required()
  @IsOldPassword()
  current_password!: string;

  @Required()
  @IsPassword()
  password!: string;
}
