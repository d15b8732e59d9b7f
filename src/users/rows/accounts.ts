import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import type { EmailAddress } from '../../common/text/email-address.js';
import { Dialect, type Condition } from '../../database/dialect/dialect.js';
import { execute, insertRow, placeholders, select } from '../../database/statements/statement.js';
import { DEFAULT_ROLE, type Role } from '../roles/roles.js';
import type { Account } from './account.js';
import { userNotFound } from '../user.errors.js';
import { newColumns } from './user-columns.js';
import { User } from './user.entity.js';

interface NewPerson {
  readonly name: string;
  readonly isProved: boolean;
  /** The role that an issuer or a gateway names for them. */
  readonly issuerRole?: Role | null;
}

/** A user whom a unit of work changes, and the one who is held beside them: the user who does it. */
export interface Held {
  readonly id: number;
  readonly beside: number | null;
}

/** All enabled admins, where a user is one of them: by the index on `role`, and none for any other user. */
const ADMINS_BESIDE =
  "SELECT a.id FROM users u JOIN users a ON a.role = 'admin' AND a.disabled_at IS NULL " +
  "WHERE u.id = ? AND u.role = 'admin' AND u.disabled_at IS NULL";

/**
 * Reads, changes and locks accounts in units of work. Users are locked before everything that belongs to them, and all users
 * of a unit in one statement: see `docs/internals.md`, "Order of locks".
 */
@Injectable()
export class Accounts {
  constructor(
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {}

  find(manager: EntityManager, id: number): Promise<Account | null> {
    return manager.findOneBy(User, { id });
  }

  findByEmail(manager: EntityManager, { key }: Pick<EmailAddress, 'key'>): Promise<Account | null> {
    return manager.findOneBy(User, { emailKey: key });
  }

  /** The account as it is now, held still until the unit of work ends. `null`: it is gone. */
  async lock(manager: EntityManager, id: number): Promise<Account | null> {
    await this.dialect.hold(manager, 'users', { sql: 'id = ?', values: [id] });
    return manager.findOneBy(User, { id });
  }

  async lockByEmail(manager: EntityManager, { key }: Pick<EmailAddress, 'key'>): Promise<Account | null> {
    await this.dialect.hold(manager, 'users', { sql: 'email_key = ?', values: [key] });
    return manager.findOneBy(User, { emailKey: key });
  }

  /** @throws {DomainError} `user_not_found` */
  async lockOne(manager: EntityManager, held: Held): Promise<User> {
    await this.lockSeveral(manager, [held.id, held.beside ?? held.id]);
    return this.require(manager, held.id);
  }

  /** A user, and all enabled admins if the user is one: only then less of them can be left. @throws {DomainError} `user_not_found` */
  async lockWithAdmins(manager: EntityManager, held: Held): Promise<User> {
    await this.lockAnyWithAdmins(manager, held);
    return this.require(manager, held.id);
  }

  /** Users who may have gone meanwhile. */
  async lockSeveral(manager: EntityManager, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.dialect.hold(manager, 'users', { sql: `id IN (${placeholders(ids)})`, values: ids });
  }

  /** {@link lockWithAdmins} for a user who may have gone meanwhile. */
  async lockAnyWithAdmins(manager: EntityManager, { id, beside }: Held): Promise<void> {
    const held = [...new Set([id, beside ?? id, ...(await this.adminsBeside(manager, id))])];
    await this.lockSeveral(manager, held);
    // Users become admins between the look and the lock, the one who is changed too.
    const later = (await this.adminsBeside(manager, id)).filter((admin) => !held.includes(admin));
    await this.lockSeveral(manager, later);
  }

  private async adminsBeside(manager: EntityManager, id: number): Promise<number[]> {
    const admins = await select<{ id: number | string }>(manager, ADMINS_BESIDE, [id]);
    return admins.map((admin) => Number(admin.id));
  }

  private async require(manager: EntityManager, id: number): Promise<User> {
    const user = await manager.findOneBy(User, { id });
    if (!user) throw userNotFound(id);
    return user;
  }

  /** A viewer. The unique index on addresses may refuse it. */
  async register(
    manager: EntityManager,
    email: EmailAddress,
    { name, isProved: isVerified, issuerRole = null }: NewPerson,
  ): Promise<Account> {
    const person = { name, email, role: DEFAULT_ROLE, passwordHash: null, isVerified, issuerRole };
    return insertUser(manager, newColumns(person, 'others', this.clock.now()));
  }

  /** @returns the account as it is then */
  async change(manager: EntityManager, account: Account, columns: Partial<Account>): Promise<Account> {
    await manager.update(User, { id: account.id }, columns);
    return { ...account, ...columns };
  }

  async verify(manager: EntityManager, account: Account): Promise<Account> {
    const now = this.clock.now();
    return this.change(manager, account, { emailVerifiedAt: now, updatedAt: now });
  }

  rename(manager: EntityManager, account: Account, name: string): Promise<Account> {
    return this.change(manager, account, { name, updatedAt: this.clock.now() });
  }

  /** @param by `others`: not known to be its owner; a password that was given is known to its giver, too */
  async setPassword(
    manager: EntityManager,
    account: Account,
    passwordHash: string,
    by: 'owner' | 'others',
  ): Promise<Account> {
    const now = this.clock.now();
    const passwordGivenAt = by === 'owner' ? null : account.passwordGivenAt;
    return this.change(manager, account, { passwordHash, passwordChangedAt: now, passwordGivenAt, updatedAt: now });
  }

  /**
   * @param role that an issuer or a gateway names for the person
   * @param isLinked a condition in SQL: the issuer still knows the account
   * @returns false: the account is disabled or gone, or not linked
   */
  async setIssuerRole(manager: EntityManager, id: number, role: Role, isLinked: Condition): Promise<boolean> {
    const sql = `UPDATE users SET issuer_role = ? WHERE id = ? AND disabled_at IS NULL AND ${isLinked.sql}`;
    return (await execute(manager, sql, [role, id, ...isLinked.values])).affected > 0;
  }

  /** No issuer names a role for these users any more. @param which a condition in SQL */
  async forgetIssuerRoles(manager: EntityManager, { sql, values }: Condition): Promise<void> {
    await execute(manager, `UPDATE users SET issuer_role = NULL WHERE issuer_role IS NOT NULL AND ${sql}`, values);
  }

  /** The same password under a newer cost, unless it was changed meanwhile. */
  async rehash(manager: EntityManager, { id, passwordHash }: Account, newHash: string): Promise<void> {
    if (passwordHash === null) return;
    await manager.update(User, { id, passwordHash }, { passwordHash: newHash });
  }
}

/** Adds a user. The unique index on addresses may refuse it. */
export async function insertUser(manager: EntityManager, columns: Omit<Account, 'id'>): Promise<Account> {
  return { ...columns, id: await insertRow(manager, User, columns) };
}

const PLACEHOLDER_BYTES = 16;

/**
 * An address at which no mail arrives. It is random: one that could be known before might be that of another account.
 *
 * @param source of the person; a label of a domain
 * @see RFC 2606, section 2
 */
export function unreachableAddress(source: string): EmailAddress {
  const address = `${randomBytes(PLACEHOLDER_BYTES).toString('hex')}@${source}.invalid`;
  return { address, key: address };
}

/** True if an address is one of {@link unreachableAddress}, of that source. */
export function isUnreachable({ emailKey }: { readonly emailKey: string }, source: string): boolean {
  const [local = '', domain] = emailKey.split('@');
  return domain === `${source}.invalid` && local.length === 2 * PLACEHOLDER_BYTES && /^[0-9a-f]+$/.test(local);
}
