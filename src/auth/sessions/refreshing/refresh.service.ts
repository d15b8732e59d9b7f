import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Account } from '../../../users/rows/account.js';
import { Accounts } from '../../../users/rows/accounts.js';
import { SessionTimes } from '../../tokens/access/live-sessions.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { Session } from '../../tokens/access/session.entity.js';
import type { RefreshClaim } from '../../tokens/refresh/refresh-tokens.js';
import { SessionRevocation } from '../lifecycle/session-revocation.js';

/** @returns the refusal of a token that is none, is over, or belongs to an ended session */
export function invalidRefreshToken(): DomainError {
  return new DomainError('invalid_refresh_token', 'The refresh token is not valid or has expired. Sign in again.');
}

/** A session that goes on; `reused`: it is over, since the successor of its token was used before; `refused`: no session. */
type Refreshed = OpenedSession | 'reused' | 'refused';

/**
 * Prolongs sessions: each refresh token is good for one successor. An answer can get lost on its way, so it is given again
 * until it is used. From then on the token before it is in the hands of two, and the session ends.
 */
@Injectable()
export class RefreshService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly revocation: SessionRevocation,
    private readonly times: SessionTimes,
    private readonly audit: Audit,
  ) {}

  /**
   * One compare-and-set decides: of many who show the same token together one turns the counter.
   *
   * @throws {DomainError} `invalid_refresh_token`, `refresh_token_reused`
   */
  async refresh(claim: RefreshClaim, visitor: Visitor): Promise<OpenedSession> {
    const refreshed = await this.unitOfWork.run((manager) => this.turn(manager, claim, visitor));
    const { sessionId } = claim;
    if (refreshed === 'refused') {
      this.audit.note({ event: 'refresh', outcome: 'failure', sessionId, reason: 'invalid_refresh_token', visitor });
      throw invalidRefreshToken();
    }
    if (refreshed !== 'reused') return refreshed;
    this.revocation.settledOne(sessionId);
    throw new DomainError(
      'refresh_token_reused',
      'This refresh token was used before, so another person may have it. The session is over: sign in again.',
    );
  }

  private async turn(
    manager: EntityManager,
    { sessionId, counter }: RefreshClaim,
    visitor: Visitor,
  ): Promise<Refreshed> {
    const isLiving = { ...this.times.living(), id: sessionId };
    const next = { counter: () => 'counter + 1', refreshedAt: this.times.now() };
    await manager.update(Session, { ...isLiving, counter }, next);
    const session = await manager.findOneBy(Session, isLiving);
    if (!session) return 'refused';
    const account = await this.accounts.find(manager, session.userId);
    if (account?.disabledAt !== null) return 'refused';
    // Turned just now, or before, by a second tab or a request whose answer was lost.
    if (session.counter === counter + 1) return this.opened(session, account);
    if (session.counter <= counter) return 'refused';
    await this.revocation.revokeReused(manager, account, sessionId, visitor);
    return 'reused';
  }

  private opened(session: Session, account: Account): OpenedSession {
    const { id, counter, amr, authTime } = session;
    return { sessionId: id, counter, account, amr: amr.split(' '), authTime, endsAt: this.times.endOf(session) };
  }
}
