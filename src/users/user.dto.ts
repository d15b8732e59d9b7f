import type { Account } from './account.js';
import type { Role } from './roles.js';

/** A user as the API shows one. What is secret is not even here. */
export class UserDto {
  id!: number;
  name!: string;
  email!: string;
  role!: Role;
  email_verified!: boolean;
  disabled!: boolean;
  created_at!: string;
  updated_at!: string;

  static from(account: Account): UserDto {
    return {
      id: account.id,
      name: account.name,
      email: account.email,
      role: account.role,
      email_verified: account.emailVerifiedAt !== null,
      disabled: account.disabledAt !== null,
      created_at: new Date(account.createdAt).toISOString(),
      updated_at: new Date(account.updatedAt).toISOString(),
    };
  }
}
