import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Account } from '../../users/account.js';
import { Accounts } from '../../users/accounts.js';
import { Passwords } from '../../users/passwords.js';
import { MailQueue } from '../../mail/mail-queue.js';
import { Links } from '../challenges/links.js';
import { SessionEnd } from '../sessions/session-end.js';
import { changedLetter } from './password-letters.js';

/** What takes the place of a password. */
interface Replacement {
  /** Argon2id. */
  readonly passwordHash: string;
  /** The session that does not end; none where it is not said. */
  readonly staying?: string;
}

/** Replaces passwords, with all that follows from it. */
@Injectable()
export class PasswordReplacement {
  constructor(
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly sessions: SessionEnd,
    private readonly mail: MailQueue,
    private readonly links: Links,
  ) {}

  /** @throws {DomainError} `overloaded` */
  hash(password: string): Promise<string> {
    return this.passwords.hash(password);
  }

  /**
   * {@link set} for somebody who has shown the old password.
   *
   * @param known the account as it was when the change was allowed
   * @returns `null`: the password was replaced meanwhile, or the account is gone
   */
  async replace(manager: EntityManager, known: Account, replacement: Replacement): Promise<Account | null> {
    const present = await this.accounts.lock(manager, known.id);
    if (present?.passwordHash !== known.passwordHash) return null;
    return this.set(manager, present, replacement);
  }

  /**
   * Sets the password, ends the sessions that the old one may have opened, and tells the owner by mail.
   *
   * @param account held still in this unit of work
   */
  async set(manager: EntityManager, account: Account, { passwordHash, staying }: Replacement): Promise<Account> {
    await this.sessions.all(manager, account.id, 'password_changed', staying);
    await this.mail.add(manager, account.email, changedLetter(this.links.host));
    return this.accounts.setPassword(manager, account, passwordHash);
  }

  /** To be called after the commit. */
  settled(): void {
    this.sessions.settled();
  }
}
