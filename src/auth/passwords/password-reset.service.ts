import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import type { Account } from '../../users/account.js';
import { invalidLink } from '../challenges/invalid-link.js';
import { MailboxOwners, type Prove } from '../challenges/mailbox-owners.js';
import { MailedLinks } from '../challenges/mailed-links.js';
import { AccountTries } from '../limits/account-tries.js';
import { PasswordReplacement } from './password-replacement.js';

/** What somebody sends who has forgotten their password. */
export interface PasswordReset {
  /** Out of the link. */
  readonly token: string;
  readonly password: string;
}

/** Sets new passwords for those who have followed the link in their mail. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly links: MailedLinks,
    private readonly owners: MailboxOwners,
    private readonly replacement: PasswordReplacement,
    private readonly tries: AccountTries,
    private readonly audit: Audit,
  ) {}

  /**
   * Ends all sessions, tells the owner by mail, and signs nobody in. Whoever was kept waiting after wrong passwords
   * waits no more.
   *
   * @throws {DomainError} `invalid_link`, `account_disabled`, `overloaded`
   */
  async reset(reset: PasswordReset, visitor: Visitor): Promise<void> {
    const account = await this.audit.noteRefusal({ event: 'password.reset', visitor }, () =>
      this.accountOf(reset, visitor),
    );
    this.replacement.settled();
    await this.tries.forget('login', account.emailKey);
  }

  private async accountOf({ token, password }: PasswordReset, visitor: Visitor): Promise<Account> {
    if (!(await this.links.isOpen('password_reset', token))) throw invalidLink();
    const passwordHash = await this.replacement.hash(password);
    const account = await this.owners.proving((manager, prove) =>
      this.set(manager, prove, { token, passwordHash }, visitor),
    );
    if (!account) throw invalidLink();
    return account;
  }

  private async set(
    manager: EntityManager,
    prove: Prove,
    { token, passwordHash }: { readonly token: string; readonly passwordHash: string },
    visitor: Visitor,
  ): Promise<Account | null> {
    const met = await this.links.meet(manager, 'password_reset', token);
    if (!met) return null;
    const account = await prove({ address: met.subject, key: met.subject });
    const { id: userId, email } = account;
    await this.audit.add(manager, { event: 'password.reset', outcome: 'success', userId, email, visitor });
    return this.replacement.set(manager, account, { passwordHash });
  }
}
