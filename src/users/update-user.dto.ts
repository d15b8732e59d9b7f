import { BodySchema } from '../common/openapi/endpoint.js';
import { BodyRequired } from '../common/validation.pipe.js';
import type { AccountChanges } from './rows/account.js';
import type { Role } from './roles/roles.js';
import { IfSent, IsEmailAddress, IsFlag, IsName, IsPassword, IsRole, IsVouched } from './user-fields.js';
import { USER_UPDATE } from './user-schemas.js';

/** Body of `PUT` and `PATCH /api/users/{id}`: what is not sent stays. */
@BodyRequired()
@BodySchema('UserUpdate', USER_UPDATE, { name: 'Ann Miller', disabled: false })
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
