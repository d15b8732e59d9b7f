import { BodyRequired } from '../common/validation.pipe.js';
import type { AccountChanges } from './rows/account.js';
import type { Role } from './roles/roles.js';
import { IfSent, IsEmailAddress, IsFlag, IsName, IsPassword, IsRole, IsVouched } from './user-fields.js';

/** Body of `PUT` and `PATCH /api/users/{id}`: what is not sent stays. */
@BodyRequired()
export class UpdateUserDto implements AccountChanges {
  @IfSent()
  @IsName()
  name?: string;

  @IfSent()
  @IsEmailAddress()
  email?: string;

  /** `null` takes it away. */
  @IsPassword()
  password?: string | null;

  @IfSent()
  @IsRole()
  role?: Role;

  @IfSent()
  @IsFlag()
  disabled?: boolean;

  /** Only with the scope `*`. */
  @IfSent()
  @IsVouched()
  verified?: true;
}
