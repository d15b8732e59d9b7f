import type { NewAccount } from './rows/account.js';
import type { Role } from './roles/roles.js';
import { IfSent, IsEmailAddress, IsName, IsPassword, IsRole, IsVouched, Required } from './user-fields.js';

/** Body of `POST /api/users`. */
export class CreateUserDto implements NewAccount {
  @Required()
  @IsName()
  name!: string;

  @Required()
  @IsEmailAddress()
  email!: string;

  /** Without one the user cannot sign in by password. */
  @IsPassword()
  password?: string | null;

  @IfSent()
  @IsRole()
  role?: Role;

  /** Only with the scope `*`. */
  @IfSent()
  @IsVouched()
  verified?: true;
}
