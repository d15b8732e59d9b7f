import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { execute } from '../../database/statement.js';
import type { Account } from '../../users/account.js';
import { Accounts } from '../../users/accounts.js';
import { VerifiedTokens } from '../api-tokens/verified-tokens.js';
import { SessionEnd } from '../sessions/session-end.js';

/** What follows from a proof that somebody reads the mail of an account. */
@Injectable()
export class ProvenMailbox {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: SessionEnd,
    private readonly tokens: VerifiedTokens,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /**
   * Lets the owner of the mailbox in. The first proof makes the account theirs alone: whoever signed up with their
   * address before them may know its password, or have linked an identity or made tokens, and loses all of it.
   *
   * @param account as read and held still in this unit of work
   * @returns the account as it is now
   * @throws {DomainError} `account_disabled`
   */
  async prove(manager: EntityManager, account: Account): Promise<Account> {
    requireEnabled(account);
    if (account.emailVerifiedAt !== null) return account;
    await this.strip(manager, account);
    const own = account.passwordHash === null ? account : await this.accounts.setPassword(manager, account, null);
    return this.accounts.verify(manager, own);
  }

  /** To be called after the commit that was the first proof: what this process remembers of credentials is old. */
  settled(): void {
    this.sessions.settled();
    this.tokens.forgetAll();
  }

  private async strip(manager: EntityManager, { id, email, passwordHash }: Account): Promise<void> {
    await execute(manager, 'DELETE FROM auth_challenges WHERE user_id = ? AND consumed_at IS NULL', [id]);
    const sessions = await this.sessions.all(manager, id, 'unproven');
    const { affected: identities } = await execute(manager, 'DELETE FROM auth_identities WHERE user_id = ?', [id]);
    const { affected: tokens } = await execute(
      manager,
      'UPDATE api_tokens SET revoked_at = ? WHERE owner_id = ? AND revoked_at IS NULL',
      [this.clock.now(), id],
    );
    const lost = { password: passwordHash !== null, sessions, identities, tokens };
    if (Object.values(lost).every((one) => !one)) return;
    await this.audit.add(manager, {
      event: 'account.stripped',
      outcome: 'success',
      userId: id,
      email,
      details: lost,
    });
  }
}

/** @throws {DomainError} `account_disabled`: to be asked only after a right credential */
export function requireEnabled({ disabledAt }: Account): void {
  if (disabledAt !== null) throw new DomainError('account_disabled', 'This account is disabled. Ask an administrator.');
}
