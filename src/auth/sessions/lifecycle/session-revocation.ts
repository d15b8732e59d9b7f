import { Injectable } from '@nestjs/common';
import { IsNull, Not, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { Clock } from '../../../common/clock.js';
import type { Account } from '../../../users/rows/account.js';
import { Challenge } from '../../secrets/challenge.entity.js';
import { LiveSessions } from '../../tokens/access/live-sessions.js';
import { Session } from '../../tokens/access/session.entity.js';

/**
 * Why a session was revoked, as its row keeps it.
 *
 * - `logout`: by its user, there or elsewhere
 * - `ended`: by its user or an administrator, from a list
 * - `reused`, `exchange_reused`: its refresh token, or the code it was begun with, was used twice
 * - `password_changed`, `email_changed`, `disabled`: by a change of the account
 * - `account_claimed`: the account was claimed by its owner, and who had opened it before is not known; rows of earlier
 *   releases say `unproven`
 * - `unlinked`: the identity that it was begun with was unlinked
 * - `provider_logout`: by the back-channel logout of its provider
 * - `locked_down`: with everything else that opens the account
 */
export type RevocationReason =
  | 'logout'
  | 'ended'
  | 'reused'
  | 'password_changed'
  | 'email_changed'
  | 'disabled'
  | 'account_claimed'
  | 'exchange_reused'
  | 'unlinked'
  | 'provider_logout'
  | 'locked_down';

/**
 * Ends sessions: their refresh tokens fail from the commit on; their access tokens in this process at once, in others
 * within seconds.
 */
@Injectable()
export class SessionRevocation {
  constructor(
    private readonly live: LiveSessions,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  /** @returns whether there was such a session of that user to end */
  async revoke(manager: EntityManager, sessionId: string, userId: number, reason: RevocationReason): Promise<boolean> {
    return (await this.end(manager, { id: sessionId, userId }, reason)) > 0;
  }

  /**
   * Ends all sessions of a user but one, and the one-time codes that could still be exchanged for a session.
   *
   * @param but the session that stays
   * @returns how many were ended
   */
  async revokeAll(manager: EntityManager, userId: number, reason: RevocationReason, but = ''): Promise<number> {
    // The exchange of a code itself refuses a disabled user.
    if (reason !== 'disabled') {
      await manager.delete(Challenge, { userId, purpose: 'exchange', consumedAt: IsNull() });
    }
    return this.end(manager, { id: Not(but), userId }, reason);
  }

  /** Ends a session whose refresh token was shown twice, which its user is mailed. */
  async revokeReused(
    manager: EntityManager,
    { id, email }: Account,
    sessionId: string,
    visitor: Visitor,
  ): Promise<void> {
    await this.revoke(manager, sessionId, id, 'reused');
    await this.audit.add(manager, {
      event: 'refresh.reused',
      outcome: 'failure',
      userId: id,
      email,
      sessionId,
      visitor,
    });
  }

  /** To be called after the commit that ended one session: drops what this process has cached of it. */
  settledOne(sessionId: string): void {
    this.live.forget(sessionId);
  }

  /** To be called after the commit: drops what this process has cached of sessions. */
  settled(): void {
    this.live.forgetAll();
  }

  private async end(
    manager: EntityManager,
    which: FindOptionsWhere<Session>,
    revokeReason: RevocationReason,
  ): Promise<number> {
    const living = { ...which, revokedAt: IsNull() };
    const { affected } = await manager.update(Session, living, { revokedAt: this.clock.now(), revokeReason });
    return affected ?? 0;
  }
}
