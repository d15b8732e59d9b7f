import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditDetails } from '../audit/audit-event.js';
import type { Account } from './account.js';

/** Port for features that keep something of users. Each registers itself at start, so users know no feature. */
export interface UserListener {
  /**
   * Called in the unit of work that changed the account.
   *
   * @returns what the audit is to have of it
   */
  changed(manager: EntityManager, before: Account, after: Account): Promise<AuditDetails>;
  /** Called in the unit of work that removes the account, before it is gone. */
  removed(manager: EntityManager, account: Account): Promise<void>;
  /** Called after the commit: what this process remembers of the user is old. */
  settled(userId: number): void;
}

/** Tells every feature that keeps something of users what happens to them. */
@Injectable()
export class UserListeners implements UserListener {
  private readonly listeners: UserListener[] = [];

  register(listener: UserListener): void {
    this.listeners.push(listener);
  }

  async changed(manager: EntityManager, before: Account, after: Account): Promise<AuditDetails> {
    const details: AuditDetails[] = [];
    for (const listener of this.listeners) details.push(await listener.changed(manager, before, after));
    return Object.assign({}, ...details) as AuditDetails;
  }

  async removed(manager: EntityManager, account: Account): Promise<void> {
    for (const listener of this.listeners) await listener.removed(manager, account);
  }

  settled(userId: number): void {
    for (const listener of this.listeners) listener.settled(userId);
  }
}
