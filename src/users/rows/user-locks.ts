import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Dialect } from '../../database/dialect/dialect.js';
import { placeholders, select } from '../../database/statements/statement.js';
import { User } from './user.entity.js';
import { userNotFound } from '../user.errors.js';

/** Whom a unit of work changes, and who else is held beside them: the user who does it. */
export interface Held {
  readonly id: number;
  readonly beside: number | null;
}

/** All enabled admins, where a user is one of them: by the index on `role`, and none for any other user. */
const ADMINS_BESIDE =
  "SELECT a.id FROM users u JOIN users a ON a.role = 'admin' AND a.disabled_at IS NULL " +
  "WHERE u.id = ? AND u.role = 'admin' AND u.disabled_at IS NULL";

/**
 * Holds users still until a unit of work ends. Without that, two admins who demote each other at the same moment
 * would each see the other one as the admin that remains.
 *
 * Users are locked before everything that belongs to them, and all users of a unit in one statement; the whole order is
 * in `docs/internals.md`, "Order of locks".
 */
@Injectable()
export class UserLocks {
  constructor(private readonly dialect: Dialect) {}

  /** @throws {DomainError} `user_not_found` */
  async one(manager: EntityManager, held: Held): Promise<User> {
    await this.several(manager, [held.id, held.beside ?? held.id]);
    return this.find(manager, held.id);
  }

  /**
   * One user, and all enabled admins where the user is one: only then less of them can be left. It is one statement, which
   * takes its locks in the order of ids, so that two units wait for each other in turn and not in a circle.
   *
   * @throws {DomainError} `user_not_found`
   */
  async withAdmins(manager: EntityManager, held: Held): Promise<User> {
    await this.anyWithAdmins(manager, held);
    return this.find(manager, held.id);
  }

  /** Users who may have gone meanwhile. */
  async several(manager: EntityManager, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.dialect.hold(manager, 'users', { sql: `id IN (${placeholders(ids)})`, values: ids });
  }

  /** {@link withAdmins} for a user who may have gone meanwhile. */
  async anyWithAdmins(manager: EntityManager, { id, beside }: Held): Promise<void> {
    const held = [...new Set([id, beside ?? id, ...(await this.adminsBeside(manager, id))])];
    await this.several(manager, held);
    // Users become admins between the look and the lock, the one who is changed too.
    const later = (await this.adminsBeside(manager, id)).filter((admin) => !held.includes(admin));
    await this.several(manager, later);
  }

  private async adminsBeside(manager: EntityManager, id: number): Promise<number[]> {
    const admins = await select<{ id: number | string }>(manager, ADMINS_BESIDE, [id]);
    return admins.map((admin) => Number(admin.id));
  }

  private async find(manager: EntityManager, id: number): Promise<User> {
    const user = await manager.findOneBy(User, { id });
    if (!user) throw userNotFound(id);
    return user;
  }
}
