import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Dialect, type Condition } from '../../database/dialect/dialect.js';
import { execute, insertRow } from '../../database/statements/statement.js';
import type { Account } from './account.js';
import type { EmailAddress } from '../../common/text/email-address.js';
import { DEFAULT_ROLE, type Role } from '../roles/roles.js';
import { newColumns } from './user-columns.js';
import { User } from './user.entity.js';

/** A person who gets an account by themselves. */
interface NewPerson {
  readonly name: string;
  /** Whether the person reads the mail to the address. */
  readonly isProved: boolean;
  /** The role that an issuer or a gateway names for them. */
  readonly issuerRole?: Role | null;
}

/** What signing in reads and changes of an account, in units of work of its own. */
@Injectable()
export class Accounts {
  constructor(
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {}

  /** The account as it is in this unit of work. */
  find(manager: EntityManager, id: number): Promise<Account | null> {
    return manager.findOneBy(User, { id });
  }

  /** The account of a mailbox, as it is in this unit of work. */
  findByEmail(manager: EntityManager, { key }: Pick<EmailAddress, 'key'>): Promise<Account | null> {
    return manager.findOneBy(User, { emailKey: key });
  }

  /** The account as it is now, held still until the unit of work ends. `null`: it is gone. */
  async lock(manager: EntityManager, id: number): Promise<Account | null> {
    await this.dialect.hold(manager, 'users', { sql: 'id = ?', values: [id] });
    return manager.findOneBy(User, { id });
  }

  /** The account of a mailbox, held still as by {@link lock}. */
  async lockByEmail(manager: EntityManager, { key }: Pick<EmailAddress, 'key'>): Promise<Account | null> {
    await this.dialect.hold(manager, 'users', { sql: 'email_key = ?', values: [key] });
    return manager.findOneBy(User, { emailKey: key });
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

  /** Its owner has shown that mail to the address arrives. */
  async verify(manager: EntityManager, account: Account): Promise<Account> {
    const now = this.clock.now();
    return this.change(manager, account, { emailVerifiedAt: now, updatedAt: now });
  }

  rename(manager: EntityManager, account: Account, name: string): Promise<Account> {
    return this.change(manager, account, { name, updatedAt: this.clock.now() });
  }

  /**
   * @param by `others`: not known to be its owner, since a password that was given is known to its giver, too
   */
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
   * @returns whether it was stored: not for an account that is disabled or gone, nor without the condition
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
