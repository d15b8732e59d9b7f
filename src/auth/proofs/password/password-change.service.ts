import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Caller } from '../../../common/access/caller.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { Reauthorization } from '../../../database/units/reauthorization.js';
import { UsersService } from '../../../users/users.service.js';
import type { Revocation } from '../../accounts/credential-revocation.js';
import { sessionClient } from '../../limits/known-clients.js';
import { requirePresent, requireSession } from '../../tokens/access/session-ref.js';
import { invalidCredentials, PasswordCheck } from './login.service.js';
import { PasswordReplacement } from './password-replacement.js';

/** What is sent to change a password. */
export interface PasswordChange {
  readonly currentPassword: string;
  readonly password: string;
}

/** The session in which the former password was shown goes on, as do the API tokens of the user. */
const AFTER_CHANGE: Revocation = { reason: 'password_changed', kinds: ['challenges', 'sessions'] };

/** Lets users change their passwords. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly users: UsersService,
    private readonly check: PasswordCheck,
    private readonly replacement: PasswordReplacement,
    private readonly reauthorization: Reauthorization,
    private readonly audit: Audit,
  ) {}

  /**
   * Replaces the password, notifies its owner by mail, and ends all sessions but the one that asks.
   *
   * @throws {DomainError} `invalid_credentials`: that is not the present password; `invalid_token`,
   *   `too_many_requests`, `overloaded`
   */
  async change(caller: Caller, order: PasswordChange, visitor: Visitor): Promise<void> {
    const { userId, sessionId } = requireSession(caller);
    const account = requirePresent(await this.users.find(userId));
    const shown = { visitor, client: sessionClient(sessionId, account) };
    const checked = await this.check.check(account.emailKey, order.currentPassword, shown);
    const event = { event: 'password.changed', userId, sessionId, email: account.email, visitor } as const;
    if (!checked) {
      this.audit.note({ ...event, outcome: 'failure', reason: 'invalid_credentials' });
      throw invalidCredentials();
    }
    this.replacement.requireImpersonal(order.password, account);
    const passwordHash = await this.replacement.hash(order.password);
    const hold = (manager: EntityManager) => this.replacement.hold(manager, userId);
    await this.reauthorization.run({ caller, scope: null, hold }, async (manager) => {
      const ending = { ...AFTER_CHANGE, staying: sessionId };
      const present = await this.replacement.replace(manager, checked.account, { passwordHash, ending }, sessionId);
      if (!present) throw invalidCredentials();
      await this.audit.add(manager, { ...event, outcome: 'success' });
    });
    this.replacement.settled();
  }
}
