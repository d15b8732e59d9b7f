import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Visitor } from '../../common/access/visitor.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Accounts } from '../../users/accounts.js';
import { requireEnabled } from '../accounts/proven-mailbox.js';
import type { OpenedSession } from '../sessions/opened-session.js';
import { SessionOpener } from '../sessions/session-opener.js';
import { CodeRefusals } from './code-refusals.js';
import { ExchangeCodes, type FoundCode } from './exchange-codes.js';

/** Exchanges one-time codes for sessions. */
@Injectable()
export class ExchangeService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly codes: ExchangeCodes,
    private readonly accounts: Accounts,
    private readonly sessions: SessionOpener,
    private readonly refusals: CodeRefusals,
  ) {}

  /**
   * A code that comes a second time was seen by somebody else, so the session that it opened ends.
   *
   * @throws {DomainError} `invalid_code_exchange`, `account_disabled`
   * @see RFC 6749 section 4.1.2, RFC 7636
   */
  async exchange(code: string, verifier: string | null, visitor: Visitor): Promise<OpenedSession> {
    const opened = await this.refusals.noting(visitor, () =>
      this.unitOfWork.run(async (manager) => {
        const found = await this.codes.find(manager, code, verifier);
        return found && this.redeem(manager, found, visitor);
      }),
    );
    if (opened) return opened;
    throw this.refusals.refusal(visitor);
  }

  /** Throws nothing for a code that is used or over: what a second use ends has to be committed. */
  private async redeem(manager: EntityManager, found: FoundCode, visitor: Visitor): Promise<OpenedSession | null> {
    const { userId, amr, state } = found;
    if (state === 'spent') await this.refusals.reused(manager, found);
    if (state !== 'open') return null;
    const account = await this.accounts.lock(manager, userId);
    if (!account) return null;
    requireEnabled(account);
    const opened = await this.sessions.open(manager, { account, amr, event: 'exchange', visitor });
    await this.codes.spend(manager, found, opened.sessionId);
    return opened;
  }
}
