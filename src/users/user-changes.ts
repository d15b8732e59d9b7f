import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../audit/audit.js';
import type { AuditDetails, AuditEventName } from '../audit/audit-event.js';
import { Clock } from '../common/clock.js';
import type { Account } from './account.js';
import type { Authority } from './user-authority.js';
import {
  changedColumns,
  changedFields,
  newColumns,
  type PreparedAccount,
  type PreparedChanges,
} from './user-columns.js';
import { UserListeners } from './user-listeners.js';
import { UserLocks } from './user-locks.js';
import { User } from './user.entity.js';

/** Adds, changes and removes users inside a unit of work, and tells the audit and whoever keeps something of them. */
@Injectable()
export class UserChanges {
  constructor(
    private readonly locks: UserLocks,
    private readonly listeners: UserListeners,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `insufficient_scope` */
  async add(manager: EntityManager, account: PreparedAccount, authority: Authority): Promise<Account> {
    authority.requireOver(account.role);
    const columns = newColumns(account, this.clock.now());
    const { identifiers } = await manager.insert(User, { ...columns });
    // TypeORM makes a text of a new 64-bit id.
    const added = { ...columns, id: Number(identifiers[0]?.id) };
    await this.tell(manager, 'user.created', added, authority, { role: added.role });
    return added;
  }

  /** @throws {DomainError} `user_not_found`, `last_admin`, `insufficient_scope` */
  async change(manager: EntityManager, id: number, changes: PreparedChanges, authority: Authority): Promise<Account> {
    const mayEndAdmin = changes.disabled === true || (changes.role !== undefined && changes.role !== 'admin');
    const user = await (mayEndAdmin ? this.locks.withAdmins(manager, id) : this.locks.one(manager, id));
    authority.requireOver(user.role);
    const now = this.clock.now();
    const columns = changedColumns(user, changes, now);
    if (Object.keys(columns).length === 0) return user;
    if (mayEndAdmin) await this.locks.requireOtherAdmin(manager, user);
    await manager.update(User, { id }, { ...columns, updatedAt: now });
    const changed = Object.assign(new User(), user, columns, { updatedAt: now });
    await this.listeners.changed(manager, user, changed);
    await this.tellChanges(manager, user, changed, authority);
    return changed;
  }

  /** @throws {DomainError} `user_not_found`, `last_admin`, `insufficient_scope` */
  async remove(manager: EntityManager, id: number, authority: Authority): Promise<void> {
    const user = await this.locks.withAdmins(manager, id);
    authority.requireOver(user.role);
    await this.locks.requireOtherAdmin(manager, user);
    await this.listeners.removed(manager, user);
    await manager.delete(User, { id });
    await this.tell(manager, 'user.deleted', user, authority, { role: user.role });
  }

  /** To be called after the commit. */
  settled(id: number): void {
    this.listeners.settled(id);
  }
  private async tellChanges(manager: EntityManager, before: Account, after: Account, by: Authority): Promise<void> {
    const { disabledAt } = after;
    if (before.disabledAt !== disabledAt) {
      await this.tell(manager, disabledAt === null ? 'user.enabled' : 'user.disabled', after, by);
    }
    const fields = changedFields(before, after);
    if (fields.length === 0) return;
    const role: AuditDetails = before.role === after.role ? {} : { role: after.role, former_role: before.role };
    await this.tell(manager, 'user.updated', after, by, { fields: fields.join(' '), ...role });
  }

  private tell(
    manager: EntityManager,
    event: AuditEventName,
    { id: userId, email }: Account,
    { actor, visitor }: Authority,
    details?: AuditDetails,
  ): Promise<void> {
    return this.audit.add(manager, {
      event,
      outcome: 'success',
      userId,
      email,
      actor,
      visitor,
      ...(details ? { details } : {}),
    });
  }
}
