import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { Clock } from '../../../common/clock.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { KeyedLimits } from '../../../common/rate-limits/keyed-limits.js';
import { Settings } from '../../../config/settings.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Account } from '../../../users/rows/account.js';
import { Accounts } from '../../../users/rows/accounts.js';
import { endOf, livingAt } from '../../tokens/access/live-sessions.js';
import type { OpenedSession } from '../../tokens/access/session-ref.js';
import { Session } from '../../tokens/access/session.entity.js';
import type { RefreshClaim } from '../../tokens/refresh/refresh-tokens.js';
import { SessionRevocation } from '../lifecycle/session-revocation.js';

/** The outcome of presenting a refresh token. */
export type Refreshed =
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  /** Its successor was used before, by a thief or by its owner: the session is over now. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'refused' };

/**
 * Prolongs sessions: each refresh token is good for one successor. An answer can get lost on its way, so it is given again
 * until it is used. From then on the token before it is in the hands of two.
 */
@Injectable()
export class Refreshing {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly revocation: SessionRevocation,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** One compare-and-set decides: of many who show the same token together one turns the counter. */
  refresh(claim: RefreshClaim, visitor: Visitor): Promise<Refreshed> {
    return this.unitOfWork.run((manager) => this.turn(manager, claim, visitor));
  }

  private async turn(
    manager: EntityManager,
    { sessionId, counter }: RefreshClaim,
    visitor: Visitor,
  ): Promise<Refreshed> {
    const isLiving = { ...livingAt(this.clock.now(), this.settings.signIn), id: sessionId };
    const next = { counter: () => 'counter + 1', refreshedAt: this.clock.now() };
    await manager.update(Session, { ...isLiving, counter }, next);
    const session = await manager.findOneBy(Session, isLiving);
    if (!session) return { kind: 'refused' };
    const account = await this.accounts.find(manager, session.userId);
    if (account?.disabledAt !== null) return { kind: 'refused' };
    // Turned just now, or before, by a second tab or a request whose answer was lost.
    if (session.counter === counter + 1) return { kind: 'opened', session: this.opened(session, account) };
    if (session.counter <= counter) return { kind: 'refused' };
    await this.revocation.revokeReused(manager, account, sessionId, visitor);
    return { kind: 'reused' };
  }

  private opened({ id, counter, amr, authTime, refreshedAt, expiresAt }: Session, account: Account): OpenedSession {
    const endsAt = endOf(this.settings.signIn, refreshedAt, expiresAt);
    return { sessionId: id, counter, account, amr: amr.split(' '), authTime, endsAt };
  }
}

/** @returns the refusal of a token that is none, is over, or belongs to an ended session */
export function invalidRefreshToken(): DomainError {
  return new DomainError('invalid_refresh_token', 'The refresh token is not valid or has expired. Sign in again.');
}

/** Prolongs sessions, and ends those whose refresh token was used twice. */
@Injectable()
export class RefreshService {
  constructor(
    private readonly refreshing: Refreshing,
    private readonly revocation: SessionRevocation,
    private readonly audit: Audit,
    private readonly limits: KeyedLimits,
  ) {}

  /** @throws {DomainError} `invalid_refresh_token`, `refresh_token_reused`, `too_many_requests` */
  async refresh(claim: RefreshClaim, visitor: Visitor): Promise<OpenedSession> {
    await this.limits.take('refresh', claim.sessionId);
    const refreshed = await this.refreshing.refresh(claim, visitor);
    if (refreshed.kind === 'opened') return refreshed.session;
    const { sessionId } = claim;
    if (refreshed.kind === 'refused') {
      this.audit.note({ event: 'refresh', outcome: 'failure', sessionId, reason: 'invalid_refresh_token', visitor });
      throw invalidRefreshToken();
    }
    this.revocation.settledOne(sessionId);
    throw new DomainError(
      'refresh_token_reused',
      'This refresh token was used before, so another person may have it. The session is over: sign in again.',
    );
  }
}
