import { BodySchema } from '../common/openapi/endpoint.js';
import type { NewAccount } from './rows/account.js';
import type { Role } from './roles/roles.js';
import { IfSent, IsEmailAddress, IsName, IsPassword, IsRole, IsVouched, Required } from './user-fields.js';
import { USER_CREATE } from './user-schemas.js';

/** Body of `POST /api/users`. */
@BodySchema('UserCreate', USER_CREATE, { name: 'Ann Example', email: 'ann@example.com', role: 'editor' })
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
