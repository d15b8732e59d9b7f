import type { EntityManager } from 'typeorm';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reader } from '../../database/statements/reads.js';
import { select } from '../../database/statements/statement.js';
import type { Role } from '../roles/roles.js';
import { User } from './user.entity.js';

/** Columns of the users that {@link usersBy} joins. */
export const USER = {
  name: 'u.name',
  email: 'u.email',
  role: 'u.role',
  issuerRole: 'u.issuer_role',
  disabledAt: 'u.disabled_at',
} as const;

export const USER_IS_ENABLED = `${USER.disabledAt} IS NULL`;

/** A condition on users of a `LEFT JOIN`: there is none, or they are disabled. */
export const USER_CANNOT_ACT = `(u.id IS NULL OR ${USER.disabledAt} IS NOT NULL)`;

export interface ActingUser {
  readonly name: string;
  readonly role: Role;
  /** `null`: the account is enabled. */
  readonly disabled_at: number | string | null;
}

/** Users by the column that has their id, to stand behind `JOIN` or `LEFT JOIN`; their columns are those of {@link USER}. */
export function usersBy(column: string): string {
  return `users u ON u.id = ${column}`;
}

/** True if there is any user, be they disabled. */
export function hasUsers(reader: Reader): Promise<boolean> {
  return reader.of(User).exists();
}

/** True if there is a user with that id, be they disabled. */
export function isUser(reader: Reader, id: number): Promise<boolean> {
  return reader.of(User).existsBy({ id });
}

/** A user whom no other unit of work changes until this one ends. */
export async function shareUser(manager: EntityManager, dialect: Dialect, id: number): Promise<ActingUser | undefined> {
  const sql = `SELECT name, role, disabled_at FROM users WHERE id = ?${dialect.lockInShareMode}`;
  return (await select<ActingUser>(manager, sql, [id]))[0];
}

export async function holdUser(manager: EntityManager, dialect: Dialect, id: number): Promise<void> {
  await dialect.hold(manager, 'users', { sql: 'id = ?', values: [id] });
}
