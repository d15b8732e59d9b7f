import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, type EntityManager } from 'typeorm';
import type { Visitor } from '../../../common/access/visitor.js';
import { Clock } from '../../../common/clock.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Settings } from '../../../config/settings.js';
import { execute } from '../../../database/statements/statement.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Account } from '../../../users/rows/account.js';
import { Accounts } from '../../../users/rows/accounts.js';
import type { OpenedSession } from '../../tokens/access/opened-session.js';
import type { RefreshClaim } from '../../tokens/refresh/refresh-tokens.js';
import { SessionRevocation } from '../lifecycle/session-revocation.js';
import { endOf } from '../../tokens/access/session-times.js';
import { Session } from '../../tokens/access/session.entity.js';

/** The outcome of presenting a refresh token. */
export type Refreshed =
  | { readonly kind: 'opened'; readonly session: OpenedSession }
  /** It was used before, by a thief or by its owner: the session is over now. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'refused' };

interface Shown extends RefreshClaim {
  /** When the request arrived, milliseconds since 1970, UTC. */
  readonly shownAt: number;
}

/** Prolongs sessions: each refresh token is good for one time, and for its successor once more within a moment. */
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
    const shownAt = this.clock.now();
    return this.unitOfWork.run((manager) => this.turn(manager, { ...claim, shownAt }, visitor));
  }

  private async turn(
    manager: EntityManager,
    { sessionId, counter, shownAt }: Shown,
    visitor: Visitor,
  ): Promise<Refreshed> {
    const now = this.clock.now();
    const { idleSeconds } = this.settings.signIn;
    const { affected } = await execute(
      manager,
      'UPDATE auth_sessions SET counter = counter + 1, refreshed_at = ? WHERE id = ? AND counter = ? ' +
        'AND revoked_at IS NULL AND expires_at > ? AND refreshed_at > ?',
      [now, sessionId, counter, now, now - idleSeconds * 1_000],
    );
    const session = await this.living(manager, sessionId);
    if (!session) return { kind: 'refused' };
    const account = await this.accounts.find(manager, session.userId);
    if (account?.disabledAt !== null) return { kind: 'refused' };
    if (affected > 0 || this.isLate(session, { counter, shownAt }))
      return { kind: 'opened', session: this.opened(session, account) };
    if (session.counter <= counter) return { kind: 'refused' };
    await this.revocation.revokeReused(manager, account, sessionId, visitor);
    return { kind: 'reused' };
  }

  private living(manager: EntityManager, id: string): Promise<Session | null> {
    return manager.findOneBy(Session, { id, revokedAt: IsNull(), expiresAt: MoreThan(this.clock.now()) });
  }

  /**
   * Whether a second tab, or an answer that got lost, asks for the token that was handed out a moment ago. What counts is
   * when it asked: a slow database must not make thieves of those who were waiting.
   */
  private isLate({ counter, refreshedAt }: Session, shown: Pick<Shown, 'counter' | 'shownAt'>): boolean {
    const graceMs = this.settings.signIn.graceSeconds * 1_000;
    // Either way: the clocks of two processes differ a little, and one that was put back must not lengthen the grace.
    const isInTime = shown.shownAt - refreshedAt < graceMs && refreshedAt - this.clock.now() < graceMs;
    return counter === shown.counter + 1 && isInTime;
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
