import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Dialect } from '../../database/dialect/dialect.js';
import { placeholders } from '../../database/statements/statement.js';
import { User } from './user.entity.js';
import { userNotFound } from '../user.errors.js';

/** Whom a unit of work changes, and who else is held beside them: the user who does it. */
export interface Held {
  readonly id: number;
  readonly beside: number | null;
}

/** A condition on rows of users. */
export const ENABLED_ADMIN = `role = 'admin' AND disabled_at IS NULL`;
const WITH_ADMINS = `id IN (?, ?) OR (${ENABLED_ADMIN})`;

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
    return this.lock(manager, held, 'id IN (?, ?)');
  }

  /**
   * One user and all enabled admins, in one statement: it takes its locks in the order of ids,
   * so that two units wait for each other in turn and not in a circle.
   *
   * @throws {DomainError} `user_not_found`
   */
  async withAdmins(manager: EntityManager, held: Held): Promise<User> {
    return this.lock(manager, held, WITH_ADMINS);
  }

  /** Users who may have gone meanwhile. */
  async several(manager: EntityManager, ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.hold(manager, `id IN (${placeholders(ids)})`, ids);
  }

  /** {@link withAdmins} for a user who may have gone meanwhile. */
  async anyWithAdmins(manager: EntityManager, { id, beside }: Held): Promise<void> {
    await this.hold(manager, WITH_ADMINS, [id, beside ?? id]);
  }

  private async lock(manager: EntityManager, { id, beside }: Held, which: string): Promise<User> {
    await this.hold(manager, which, [id, beside ?? id]);
    const user = await manager.findOneBy(User, { id });
    if (!user) throw userNotFound(id);
    return user;
  }

  private async hold(manager: EntityManager, which: string, ids: readonly number[]): Promise<void> {
    await this.dialect.hold(manager, 'users', { sql: which, values: ids });
  }
}
