import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Visitor } from '../../../common/access/visitor.js';
import type { Account } from '../../../users/rows/account.js';
import { Accounts } from '../../../users/rows/accounts.js';
import { Passwords } from '../../../users/passwords/passwords.js';
import { invalidLink } from '../challenges/link-owners.js';
import { MailboxOwners } from '../challenges/mailbox-owners.js';
import { MailedLinks } from '../challenges/mailed-links.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { SessionOpener } from '../../sessions/lifecycle/session-opener.js';

/** What is sent to accept an invitation. */
export interface Acceptance {
  readonly token: string;
  /** How they call themselves, where it is not what they are called in the invitation. */
  readonly name?: string;
  /** Without one they sign in by mail. */
  readonly password?: string;
}

/** Lets invited users in. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly links: MailedLinks,
    private readonly owners: MailboxOwners,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly sessions: SessionOpener,
  ) {}

  /** @throws {DomainError} `invalid_link`, `account_disabled`, `overloaded` */
  async accept({ token, name, password }: Acceptance, visitor: Visitor): Promise<OpenedSession> {
    const emailKey = await this.links.openSubjectOf('invitation', token);
    if (emailKey === null) throw invalidLink();
    const passwordHash = password === undefined ? null : await this.passwords.hash(password);
    const opened = await this.owners.proving({ emailKey, visitor }, async (manager, prove) => {
      const consumed = await this.links.consume(manager, 'invitation', token);
      if (!consumed) return null;
      const { account: proven } = await prove({ address: consumed.subject, key: consumed.subject });
      if (password !== undefined) {
        this.passwords.requireImpersonal(password, { name: name ?? proven.name, email: proven.email });
      }
      const account = await this.settle(manager, proven, { name, passwordHash });
      const details = { password: passwordHash !== null, renamed: account.name !== proven.name };
      return this.sessions.open(manager, { account, amr: ['link'], event: 'invitation.accepted', visitor, details });
    });
    if (!opened) throw invalidLink();
    return opened;
  }

  private async settle(
    manager: EntityManager,
    account: Account,
    { name, passwordHash }: { readonly name: string | undefined; readonly passwordHash: string | null },
  ): Promise<Account> {
    const named = name === undefined ? account : await this.accounts.rename(manager, account, name);
    return passwordHash === null ? named : this.accounts.setPassword(manager, named, passwordHash, 'owner');
  }
}
