import type { Account } from './rows/account.js';
import { heldRole } from './roles/held-role.js';
import type { Role } from './roles/roles.js';

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
