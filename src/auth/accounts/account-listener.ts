import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statement.js';
import type { Account } from '../../users/account.js';
import { UserListeners, type UserListener } from '../../users/user-listeners.js';
import { AccountTries } from '../limits/account-tries.js';
import { SessionEnd } from '../sessions/session-end.js';

/** Ends what a user was let in by, when an administrator changes or removes the account. */
@Injectable()
export class AccountListener implements UserListener, OnModuleInit {
  constructor(
    private readonly users: UserListeners,
    private readonly sessions: SessionEnd,
    private readonly tries: AccountTries,
  ) {}

  onModuleInit(): void {
    this.users.register(this);
  }

  async changed(manager: EntityManager, before: Account, after: Account): Promise<void> {
    if (after.disabledAt !== null) await this.sessions.all(manager, after.id, 'disabled');
    else if (after.passwordHash !== before.passwordHash) {
      await this.sessions.all(manager, after.id, 'password_changed');
      // Whoever was kept waiting guessed at a password that is none any more.
      await this.tries.forgetWithin(manager, 'login', after.emailKey);
    }
    // Codes and links are on their way to the old address.
    if (after.emailKey !== before.emailKey) await endChallenges(manager, after.id);
  }

  async removed(manager: EntityManager, { id }: Account): Promise<void> {
    await endChallenges(manager, id);
    await execute(manager, 'DELETE FROM auth_sessions WHERE user_id = ?', [id]);
    await execute(manager, 'DELETE FROM auth_identities WHERE user_id = ?', [id]);
  }

  settled(): void {
    this.sessions.settled();
  }
}

async function endChallenges(manager: EntityManager, userId: number): Promise<void> {
  await execute(manager, 'DELETE FROM auth_challenges WHERE user_id = ?', [userId]);
}
