import type { EmailAddress } from '../../common/text/email-address.js';
import { isSetUpByAdmin, type Account } from './account.js';
import type { Role } from '../roles/roles.js';
import type { User } from './user.entity.js';

/** Changes with a checked address and a hashed password. */
export interface PreparedChanges {
  readonly name?: string;
  readonly role?: Role;
  readonly disabled?: boolean;
  /** An administrator vouches for the address. */
  readonly verified?: true;
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

export interface PreparedAccount {
  readonly name: string;
  readonly email: EmailAddress;
  readonly role: Role;
  readonly passwordHash: string | null;
  readonly isVerified: boolean;
  readonly issuerRole?: Role | null;
}

/** The giver of a password: `admin` can do everything, and so gains nothing by a password that they know. */
export type Giver = 'admin' | 'others';

export function newColumns(account: PreparedAccount, by: Giver, now: number): Omit<Account, 'id'> {
  const { name, email, role, passwordHash, isVerified, issuerRole = null } = account;
  return {
    name,
    email: email.address,
    emailKey: email.key,
    role,
    passwordHash,
    passwordChangedAt: passwordHash === null ? null : now,
    passwordGivenAt: passwordHash === null || by === 'admin' ? null : now,
    emailVerifiedAt: isVerified ? now : null,
    disabledAt: null,
    disabledReason: null,
    roleSource: null,
    issuerRole,
    createdAt: now,
    updatedAt: now,
  };
}

/** The columns of a user that get another value; none when the changes change nothing. */
export function changedColumns(user: User, changes: PreparedChanges, by: Giver, now: number): Partial<User> {
  const wanted: Partial<User> = {
    name: changes.name ?? user.name,
    role: changes.role ?? user.role,
    roleSource: changes.roleSource ?? user.roleSource,
    ...emailColumns(user, changes, now),
    ...givenColumn(user, changes, by, now),
    ...passwordColumns(user, changes.passwordHash, now),
    ...disabledColumns(user, changes, now),
  };
  const changed = Object.entries(wanted).filter(([column, value]) => user[column as keyof User] !== value);
  return Object.fromEntries(changed);
}

/** The names of the differences in the audit, without their values; disabling is an event of its own. */
export function changedFields(before: Account, after: Account): string[] {
  const columns = {
    name: 'name',
    email: 'email',
    role: 'role',
    role_source: 'roleSource',
    password: 'passwordHash',
  } as const;
  const fields = Object.entries(columns).flatMap(([field, column]) =>
    before[column] === after[column] ? [] : [field],
  );
  const isVouchedFor = after.emailVerifiedAt !== null && after.emailVerifiedAt !== before.emailVerifiedAt;
  return isVouchedFor ? [...fields, 'verified'] : fields;
}

/** A proof of the old address is none of the new one, unless it is the same mailbox. */
function emailColumns(user: User, { email, verified }: PreparedChanges, now: number): Partial<User> {
  const isSame = email === undefined || email.key === user.emailKey;
  const known = isSame ? user.emailVerifiedAt : null;
  const emailVerifiedAt = verified ? (known ?? now) : known;
  return email ? { email: email.address, emailKey: email.key, emailVerifiedAt } : { emailVerifiedAt };
}

function passwordColumns(user: User, passwordHash: string | null | undefined, now: number): Partial<User> {
  if (passwordHash === undefined || passwordHash === user.passwordHash) return {};
  return { passwordHash, passwordChangedAt: now };
}

/**
 * Marks a given password. Under an unproved address an unmarked password says that an administrator has set the account up:
 * so it is marked if the address was another one, or something else opens the account already.
 */
function givenColumn(user: User, changes: PreparedChanges, by: Giver, now: number): Partial<User> {
  const isUnproven = emailColumns(user, changes, now).emailVerifiedAt === null;
  if (!isMarking(user, changes, isUnproven)) return {};
  const isOfAdmin = by === 'admin' && (!isUnproven || isSetUpByAdmin(user));
  return isOfAdmin ? {} : { passwordGivenAt: user.passwordGivenAt ?? now };
}

/** True if there is another password, or one that goes with an address of which no proof is left. */
function isMarking(user: User, { email, passwordHash }: PreparedChanges, isUnproven: boolean): boolean {
  if (passwordHash !== undefined && passwordHash !== user.passwordHash) return passwordHash !== null;
  const isMoved = email !== undefined && email.key !== user.emailKey;
  return user.passwordHash !== null && isMoved && isUnproven;
}

/** Disabling again does not move the time at which it happened; the last one to disable a user has the say. */
function disabledColumns(user: User, { disabled, disabledReason }: PreparedChanges, now: number): Partial<User> {
  if (disabled === undefined) return {};
  if (!disabled) return { disabledAt: null, disabledReason: null };
  return { disabledAt: user.disabledAt ?? now, disabledReason: disabledReason ?? null };
}
