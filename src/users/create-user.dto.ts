import type { NewAccount } from './rows/account.js';
import type { Role } from './roles/roles.js';
import { IfSent, IsEmailAddress, IsName, IsPassword, IsRole, Required } from './user-fields.js';

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
}
