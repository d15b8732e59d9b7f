import { BodySchema } from '../common/openapi/endpoint.js';
import { BodyRequired } from '../common/validation.pipe.js';
import type { Account } from './rows/account.js';
import { heldRole } from './roles/managed-roles.js';
import type { Role } from './roles/roles.js';
import { IfSent, IsEmailAddress, IsFlag, IsName, IsPassword, IsRole, IsVouched, Required } from './user-fields.js';
import { USER_CREATE, USER_UPDATE } from './user-schemas.js';

/** A user as the API shows one. What is secret is not even here. */
export class UserDto {
  id!: number;
  name!: string;
  email!: string;
  /** The most that the account may do, see `heldRole`. */
  role!: Role;
  email_verified!: boolean;
  disabled!: boolean;
  /** The provider that has disabled the user. */
  disabled_by!: string | null;
  /** The provider whose groups give the role, or `issuer`. */
  role_source!: string | null;
  created_at!: string;
  updated_at!: string;

  static from(account: Account): UserDto {
    const { role, source } = heldRole(account);
    return {
      id: account.id,
      name: account.name,
      email: account.email,
      role,
      email_verified: account.emailVerifiedAt !== null,
      disabled: account.disabledAt !== null,
      disabled_by: account.disabledReason,
      role_source: source,
      created_at: new Date(account.createdAt).toISOString(),
      updated_at: new Date(account.updatedAt).toISOString(),
    };
  }
}

/** Body of `POST /api/users`. */
@BodySchema('UserCreate', USER_CREATE, { name: 'Ann Example', email: 'ann@example.com', role: 'editor' })
export class CreateUserDto {
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

  /** An administrator vouches that the address is theirs: only with the scope `*`. */
  @IfSent()
  @IsVouched()
  verified?: true;
}

/** Body of `PUT` and `PATCH /api/users/{id}`: what is not sent stays. */
@BodyRequired()
@BodySchema('UserUpdate', USER_UPDATE, { name: 'Ann Miller', disabled: false })
export class UpdateUserDto {
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

  /** An administrator vouches that the address is theirs: only with the scope `*`. */
  @IfSent()
  @IsVouched()
  verified?: true;
}
