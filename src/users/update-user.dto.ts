import type { AccountChanges } from './account.js';
import type { Role } from './roles.js';
import { IfSent, IsEmailAddress, IsFlag, IsName, IsPassword, IsRole, Required } from './user-fields.js';

/** Body of `PUT` and `PATCH /api/users/{id}`: what is not sent stays. */
export class UpdateUserDto implements AccountChanges {
  @IfSent()
  @Required()
  @IsName()
  name?: string;

  @IfSent()
  @Required()
  @IsEmailAddress()
  email?: string;

  /** `null` takes it away. */
  @IsPassword()
  password?: string | null;

  @IfSent()
  @Required()
  @IsRole()
  role?: Role;

  @IfSent()
  @Required()
  @IsFlag()
  disabled?: boolean;
}
