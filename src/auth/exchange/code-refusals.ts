import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import type { Visitor } from '../../common/access/visitor.js';
import type { DomainError } from '../../common/errors/domain-error.js';
import { SessionRevocation } from '../sessions/lifecycle/session-revocation.js';
import type { FoundCode } from './exchange-codes.js';
import { invalidCodeExchange } from './exchange.errors.js';

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
