import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Dialect } from '../database/dialect/dialect.js';
import { select } from '../database/statement.js';
import { User } from './user.entity.js';
import { lastAdmin, userNotFound } from './user.errors.js';

const ENABLED_ADMIN = `role = 'admin' AND disabled_at IS NULL`;

/**
 * Holds users still until a unit of work ends. Without that, two admins who demote each other at the same moment
 * would each see the other one as the admin that remains.
 */
@Injectable()
export class UserLocks {
  constructor(private readonly dialect: Dialect) {}

  /** @throws {DomainError} `user_not_found` */
  async one(manager: EntityManager, id: number): Promise<User> {
    return this.lock(manager, id, 'id = ?');
  }

  /**
   * One user and all admins who can act, in one statement: it takes its locks in the order of ids,
   * so that two units wait for each other in turn and not in a circle.
   *
   * @throws {DomainError} `user_not_found`
   */
  async withAdmins(manager: EntityManager, id: number): Promise<User> {
    return this.lock(manager, id, `id = ? OR (${ENABLED_ADMIN})`);
  }

  /**
   * To be asked after {@link withAdmins}, before a user ceases to be an admin who can act.
   *
   * @throws {DomainError} `last_admin`
   */
  async requireOtherAdmin(manager: EntityManager, { id, role, disabledAt }: User): Promise<void> {
    if (role !== 'admin' || disabledAt !== null) return;
    const others = await select(manager, `SELECT id FROM users WHERE ${ENABLED_ADMIN} AND id <> ? LIMIT 1`, [id]);
    if (others.length === 0) throw lastAdmin();
  }

  private async lock(manager: EntityManager, id: number, which: string): Promise<User> {
    await select(manager, `SELECT id FROM users WHERE ${which} ORDER BY id${this.dialect.lockForUpdate}`, [id]);
    const user = await manager.findOneBy(User, { id });
    if (!user) throw userNotFound(id);
    return user;
  }
}
