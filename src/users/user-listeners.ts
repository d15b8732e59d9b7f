import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditDetails } from '../audit/audit-event.js';
import type { Account } from './rows/account.js';

/** What a change of an account has left. */
export interface ChangeEffects {
  /** What the audit is to have of it. */
  readonly details: AuditDetails;
  /** How many living service tokens go on, where their owner was disabled or has fewer scopes now; `null`: neither. */
  readonly serviceTokens: number | null;
}

/** Port for features that keep something of users. Each registers itself at start, so users know no feature. */
export interface UserListener {
  /** Called in the unit of work that changed the account. */
  changed(manager: EntityManager, before: Account, after: Account): Promise<ChangeEffects>;
  /** Called in the unit of work that removes the account, before it is gone. */
  removed(manager: EntityManager, account: Account): Promise<void>;
  /** Called after the commit: drops what this process has cached of the user. */
  settled(userId: number): void;
}

/** Notifies every feature that keeps something of users of what happens to them. */
@Injectable()
export class UserListeners implements UserListener {
  private readonly listeners: UserListener[] = [];

  register(listener: UserListener): void {
    this.listeners.push(listener);
  }

  async changed(manager: EntityManager, before: Account, after: Account): Promise<ChangeEffects> {
    let effects: ChangeEffects = { details: {}, serviceTokens: null };
    for (const listener of this.listeners) {
      const { details, serviceTokens } = await listener.changed(manager, before, after);
      effects = {
        details: { ...effects.details, ...details },
        serviceTokens: serviceTokens ?? effects.serviceTokens,
      };
    }
    return effects;
  }

  async removed(manager: EntityManager, account: Account): Promise<void> {
    for (const listener of this.listeners) await listener.removed(manager, account);
  }

  settled(userId: number): void {
    for (const listener of this.listeners) listener.settled(userId);
  }
}
