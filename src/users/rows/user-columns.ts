import type { Account, AccountChanges } from './account.js';
import { emailAddress, type EmailAddress } from './email-address.js';
import type { Role } from '../roles/roles.js';
import { invalidEmail } from '../user.errors.js';
import type { User } from './user.entity.js';

/** Changes after everything slow and foolish is done with: the address is read, the password is hashed. */
export interface PreparedChanges extends Pick<AccountChanges, 'name' | 'role' | 'disabled'> {
  readonly email?: EmailAddress;
  /** The provider that has verified the address. */
  readonly emailSource?: string;
  /** The provider that gives the role. */
  readonly roleSource?: string;
  /** The provider that disables the user. */
  readonly disabledReason?: string;
  /** `null`: takes the password away. */
  readonly passwordHash?: string | null;
}

/** A new user, prepared in the same way. */
export interface PreparedAccount {
  readonly name: string;
  readonly email: EmailAddress;
  readonly role: Role;
  readonly passwordHash: string | null;
  readonly isVerified: boolean;
}

/** @throws {ValidationError} it is no e-mail address */
export function requireEmail(text: string): EmailAddress {
  const email = emailAddress(text);
  if (!email) throw invalidEmail();
  return email;
}

/** The columns of a new user. */
export function newColumns(account: PreparedAccount, now: number): Omit<Account, 'id'> {
  const { name, email, role, passwordHash, isVerified } = account;
  return {
    name,
    email: email.address,
    emailKey: email.key,
    role,
    passwordHash,
    passwordChangedAt: passwordHash === null ? null : now,
    passwordGivenAt: passwordHash === null ? null : now,
    emailVerifiedAt: isVerified ? now : null,
    disabledAt: null,
    disabledReason: null,
    roleSource: null,
    issuerRole: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** The columns of a user that get another value; none when the changes change nothing. */
export function changedColumns(user: User, changes: PreparedChanges, now: number): Partial<User> {
  const wanted: Partial<User> = {
    name: changes.name ?? user.name,
    role: changes.role ?? user.role,
    roleSource: changes.roleSource ?? user.roleSource,
    ...emailColumns(user, changes.email),
    ...passwordColumns(user, changes.passwordHash, now),
    ...disabledColumns(user, changes, now),
  };
  const changed = Object.entries(wanted).filter(([column, value]) => user[column as keyof User] !== value);
  return Object.fromEntries(changed);
}

/** What the audit calls that which differs, without its value; disabling is an event of its own. */
export function changedFields(before: Account, after: Account): string[] {
  const columns = {
    name: 'name',
    email: 'email',
    role: 'role',
    role_source: 'roleSource',
    password: 'passwordHash',
  } as const;
  return Object.entries(columns).flatMap(([field, column]) => (before[column] === after[column] ? [] : [field]));
}

/** A proof of the old address is none of the new one, unless it is the same mailbox in another spelling. */
function emailColumns(user: User, email: EmailAddress | undefined): Partial<User> {
  if (!email || email.address === user.email) return {};
  const emailVerifiedAt = email.key === user.emailKey ? user.emailVerifiedAt : null;
  return { email: email.address, emailKey: email.key, emailVerifiedAt };
}

function passwordColumns(user: User, passwordHash: string | null | undefined, now: number): Partial<User> {
  if (passwordHash === undefined || passwordHash === user.passwordHash) return {};
  // What the first of several that were given has let in may still be there under the last.
  const passwordGivenAt = passwordHash === null ? user.passwordGivenAt : (user.passwordGivenAt ?? now);
  return { passwordHash, passwordChangedAt: now, passwordGivenAt };
}

/** Disabling again does not move the time at which it happened; the last one to disable a user has the say. */
function disabledColumns(user: User, { disabled, disabledReason }: PreparedChanges, now: number): Partial<User> {
  if (disabled === undefined) return {};
  if (!disabled) return { disabledAt: null, disabledReason: null };
  return { disabledAt: user.disabledAt ?? now, disabledReason: disabledReason ?? null };
}
