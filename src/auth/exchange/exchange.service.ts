import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { Account } from '../../users/rows/account.js';
import { requireEnabled, SessionOpener } from '../sessions/lifecycle/session-opener.js';
import { SessionRevocation } from '../sessions/lifecycle/session-revocation.js';
import type { OpenedSession } from '../tokens/access/session-ref.js';
import { ExchangeCodes, type FoundCode, invalidCodeExchange } from './exchange-codes.js';

/** What became of a code that was shown: a session, or the one that its second use has ended; `null`: none. */
interface Exchanged {
  readonly session: OpenedSession | null;
  readonly ended: string | null;
}

const REFUSED: Exchanged = { session: null, ended: null };

/** Exchanges one-time codes for sessions. */
@Injectable()
export class ExchangeService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly codes: ExchangeCodes,
    private readonly opener: SessionOpener,
    private readonly revocation: SessionRevocation,
    private readonly audit: Audit,
  ) {}

  /**
   * A code that comes a second time was seen by another client, so the session that it opened ends.
   *
   * @throws {DomainError} `invalid_code_exchange`, `account_disabled`
   * @see RFC 6749 section 4.1.2, RFC 7636
   */
  async exchange(code: string, verifier: string | null, visitor: Visitor): Promise<OpenedSession> {
    const { session, ended } = await this.audit.noteRefusal({ event: 'exchange', visitor }, () =>
      this.unitOfWork.run(async (manager) => {
        const shown = await this.codes.find(manager, code, verifier);
        return shown ? this.redeem(manager, shown.account, shown.found, visitor) : REFUSED;
      }),
    );
    if (session) return session;
    if (ended !== null) this.revocation.settledOne(ended);
    const refusal = { event: 'exchange', outcome: 'failure', reason: 'invalid_code_exchange' } as const;
    this.audit.note({ ...refusal, sessionId: ended, visitor });
    throw invalidCodeExchange();
  }

  /** Throws nothing for a code that is used or over: what a second use ends has to be committed. */
  private async redeem(
    manager: EntityManager,
    account: Account,
    found: FoundCode,
    visitor: Visitor,
  ): Promise<Exchanged> {
    const { amr, state, providerSid = null, isKnownDevice = false, authTime } = found;
    if (state === 'spent') return { session: null, ended: await this.endReused(manager, found) };
    if (state !== 'open') return REFUSED;
    requireEnabled(account);
    const when = authTime === undefined ? {} : { authTime };
    const proof = { account, amr, event: 'exchange', visitor, providerSid, isKnownDevice, ...when } as const;
    const session = await this.opener.open(manager, proof);
    await this.codes.spend(manager, found, session.sessionId);
    return { session, ended: null };
  }

  /** Two people have seen the code. @returns the session that ends by that; `null`: it had ended before */
  private async endReused(manager: EntityManager, { userId, sessionId }: FoundCode): Promise<string | null> {
    if (sessionId === null) return null;
    return (await this.revocation.revoke(manager, sessionId, userId, 'exchange_reused')) ? sessionId : null;
  }
}
