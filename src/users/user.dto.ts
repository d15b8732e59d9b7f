import { BodyRequired } from '../common/validation.pipe.js';
import type { Account } from './rows/account.js';
import { heldRole } from './roles/managed-roles.js';
import { DEFAULT_ROLE, type Role } from './roles/roles.js';
import { Described, DescribedBody, Field, OptionalField } from '../common/openapi/body.js';
import { IsEmailAddress, IsFlag, IsName, IsPassword, IsRole, IsVouched } from './user-fields.js';
import { GIVEN_ROLE, NULLABLE_PASSWORD, SHOWN_EMAIL, SHOWN_NAME, VERIFIED } from './user-schemas.js';

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
@DescribedBody(
  'UserCreate',
  { name: 'Ann Example', email: 'ann@example.com', role: 'editor' },
  { description: 'A new user.' },
)
export class CreateUserDto {
  @Field(SHOWN_NAME, IsName())
  name!: string;

  @Field(SHOWN_EMAIL, IsEmailAddress())
  email!: string;

  @Described(NULLABLE_PASSWORD)
  @IsPassword()
  password?: string | null;

  @OptionalField({ ...GIVEN_ROLE, default: DEFAULT_ROLE }, IsRole())
  role?: Role;

  @OptionalField(VERIFIED, IsVouched())
  verified?: true;
}

/** Body of `PUT` and `PATCH /api/users/{id}`: what is not sent stays. */
@BodyRequired()
@DescribedBody(
  'UserUpdate',
  { name: 'Ann Miller', disabled: false },
  { description: 'What changes in a user; what is left out stays.' },
)
export class UpdateUserDto {
  @OptionalField(SHOWN_NAME, IsName())
  name?: string;

  @OptionalField(
    { ...SHOWN_EMAIL, description: 'A new address is not verified, unless you vouch for it.' },
    IsEmailAddress(),
  )
  email?: string;

  @Described(NULLABLE_PASSWORD)
  @IsPassword()
  password?: string | null;

  @OptionalField(GIVEN_ROLE, IsRole())
  role?: Role;

  @OptionalField({ type: 'boolean', description: '`true` keeps the user out.' }, IsFlag())
  disabled?: boolean;

  @OptionalField(VERIFIED, IsVouched())
  verified?: true;
}
