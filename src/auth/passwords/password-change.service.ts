import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';

import { UsersService } from '../../users/users.service.js';
import type { Holder } from '../sessions/holder.js';
import { invalidCredentials } from './login.service.js';
import { PasswordCheck } from './password-check.js';
import { PasswordReplacement } from './password-replacement.js';

/** What somebody sends who wants another password. */
export interface PasswordChange {
  readonly currentPassword: string;
  readonly password: string;
}

/** Lets users change their passwords. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly users: UsersService,
    private readonly check: PasswordCheck,
    private readonly replacement: PasswordReplacement,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
  ) {}

  /**
   * Replaces the password, tells its owner by mail, and ends all sessions but the one that asks.
   *
   * @throws {DomainError} `invalid_credentials`: that is not the present password; `too_many_requests`, `overloaded`
   */
  async change({ userId, sessionId }: Holder, wish: PasswordChange, visitor: Visitor): Promise<void> {
    const account = await this.users.require(userId);
    const checked = await this.check.check(account.emailKey, wish.currentPassword);
    const event = { event: 'password.changed', userId, sessionId, email: account.email, visitor } as const;
    if (!checked) {
      this.audit.note({ ...event, outcome: 'failure', reason: 'invalid_credentials' });
      throw invalidCredentials();
    }
    const passwordHash = await this.replacement.hash(wish.password);
    await this.unitOfWork.run(async (manager) => {
      const present = await this.replacement.replace(manager, checked.account, { passwordHash, staying: sessionId });
      if (!present) throw invalidCredentials();
      await this.audit.add(manager, { ...event, outcome: 'success' });
    });
    this.replacement.settled();
  }
}
