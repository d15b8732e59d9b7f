import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import type { DomainError } from '../../common/errors/domain-error.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { Account } from '../../users/rows/account.js';
import { Accounts } from '../../users/rows/accounts.js';
import { requireEnabled } from '../sessions/lifecycle/session-opener.js';
import { SessionOpener } from '../sessions/lifecycle/session-opener.js';
import { SessionRevocation } from '../sessions/lifecycle/session-revocation.js';
import type { OpenedSession } from '../tokens/access/session-ref.js';
import { ExchangeCodes, type FoundCode, invalidCodeExchange } from './exchange-codes.js';

/**
 * Handles refused one-time codes: ends the session of a code that is used twice, and writes the refusal to the audit.
 */
@Injectable()
export class CodeRefusals {
  constructor(
    private readonly sessions: SessionRevocation,
    private readonly audit: Audit,
  ) {}

  /**
   * Two people have seen the code, so the session that the first one got ends.
   *
   * @returns the session that has ended by that; `null`: it had ended before
   */
  async reused(manager: EntityManager, { userId, sessionId }: FoundCode): Promise<string | null> {
    if (sessionId === null) return null;
    return (await this.sessions.revoke(manager, sessionId, userId, 'exchange_reused')) ? sessionId : null;
  }

  /** Does what may be refused although the code is good. */
  noting<Result>(visitor: Visitor, work: () => Promise<Result>): Promise<Result> {
    return this.audit.noteRefusal({ event: 'exchange', visitor }, work);
  }

  /**
   * To be called after the unit of work.
   *
   * @param endedSession the session that {@link reused} has ended; `null`: none, so that nothing is forgotten
   */
  refusal(endedSession: string | null, visitor: Visitor): DomainError {
    if (endedSession !== null) this.sessions.settledOne(endedSession);
    const sessionId = endedSession;
    this.audit.note({ event: 'exchange', outcome: 'failure', reason: 'invalid_code_exchange', sessionId, visitor });
    return invalidCodeExchange();
  }
}

/** What became of a code that was shown. */
type Exchanged =
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  | { readonly kind: 'refused'; readonly endedSession: string | null };

const REFUSED: Exchanged = { kind: 'refused', endedSession: null };

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
   * A code that comes a second time was seen by another client, so the session that it opened ends.
   *
   * @throws {DomainError} `invalid_code_exchange`, `account_disabled`
   * @see RFC 6749 section 4.1.2, RFC 7636
   */
  async exchange(code: string, verifier: string | null, visitor: Visitor): Promise<OpenedSession> {
    const exchanged = await this.refusals.noting(visitor, () =>
      this.unitOfWork.run(async (manager) => {
        const userId = await this.codes.ownerOf(manager, code);
        const account = userId === null ? null : await this.accounts.lock(manager, userId);
        const found = account && (await this.codes.find(manager, code, verifier));
        return account && found ? this.redeem(manager, account, found, visitor) : REFUSED;
      }),
    );
    if (exchanged.kind === 'opened') return exchanged.session;
    throw this.refusals.refusal(exchanged.endedSession, visitor);
  }

  /** Throws nothing for a code that is used or over: what a second use ends has to be committed. */
  private async redeem(
    manager: EntityManager,
    account: Account,
    found: FoundCode,
    visitor: Visitor,
  ): Promise<Exchanged> {
    const { amr, state, providerSid = null, isKnownDevice = false, authTime } = found;
    if (state === 'spent') return { kind: 'refused', endedSession: await this.refusals.reused(manager, found) };
    if (state !== 'open') return REFUSED;
    requireEnabled(account);
    const when = authTime === undefined ? {} : { authTime };
    const proof = { account, amr, event: 'exchange', visitor, providerSid, isKnownDevice, ...when } as const;
    const opened = await this.sessions.open(manager, proof);
    await this.codes.spend(manager, found, opened.sessionId);
    return { kind: 'opened', session: opened };
  }
}
