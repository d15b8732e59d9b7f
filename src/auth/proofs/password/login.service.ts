import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { Accounts } from '../../../users/rows/accounts.js';
import { requireEmail } from '../../../users/rows/user-columns.js';
import { requireEnabled } from '../../accounts/proven-mailbox.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { SessionOpener } from '../../sessions/lifecycle/session-opener.js';
import { PasswordCheck, type Checked } from './password-check.js';

/** What is sent to sign in by password. */
export interface Login {
  readonly email: string;
  readonly password: string;
}

/** Signing in by password. */
@Injectable()
export class LoginService {
  constructor(
    private readonly check: PasswordCheck,
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly sessions: SessionOpener,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `invalid_credentials`, `account_disabled`, `too_many_requests`, `overloaded` */
  async login({ email, password }: Login, visitor: Visitor): Promise<OpenedSession> {
    const { key } = requireEmail(email);
    const { account, newHash } = await this.audit.noteRefusal(
      { event: 'login', typedEmail: key, visitor },
      async () => {
        const checked = await this.check.check(key, password, { visitor });
        if (!checked) throw invalidCredentials();
        return checked;
      },
    );
    const { id: userId, email: address } = account;
    return this.audit.noteRefusal({ event: 'login', userId, email: address, visitor }, () =>
      this.unitOfWork.run((manager) => this.open(manager, { account, newHash }, visitor)),
    );
  }

  /** What was true when the hash was checked may have changed since: a password that was replaced opens nothing. */
  private async open(manager: EntityManager, { account, newHash }: Checked, visitor: Visitor): Promise<OpenedSession> {
    const present = await this.accounts.lock(manager, account.id);
    if (present?.passwordHash !== account.passwordHash) throw invalidCredentials();
    requireEnabled(present);
    if (newHash !== null) await this.accounts.rehash(manager, present, newHash);
    return this.sessions.open(manager, { account: present, amr: ['pwd'], event: 'login', visitor });
  }
}

/** One refusal for an unknown address, an account without a password and a wrong password. */
export function invalidCredentials(): DomainError {
  return new DomainError('invalid_credentials', 'The e-mail address or password is wrong.');
}
