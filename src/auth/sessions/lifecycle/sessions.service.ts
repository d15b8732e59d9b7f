import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Not, type FindOptionsWhere } from 'typeorm';
import type { AuditEventName } from '../../../audit/audit-event.js';
import { Audit } from '../../../audit/audit.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { Clock } from '../../../common/clock.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { ReadRepository } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import type { Account } from '../../../users/rows/account.js';
import { Challenge } from '../../secrets/challenge.entity.js';
import type { SessionRef } from '../../tokens/access/session-ref.js';
import { Session } from '../../tokens/access/session.entity.js';
import { SessionTimes, LiveSessions } from '../../tokens/access/verified-access.js';

/**
 * Reason for which a session was revoked, as its row keeps it.
 *
 * - `ended`: by its user or an administrator, from a list
 * - `reused`, `exchange_reused`: its refresh token, or the code it was begun with, was used twice
 * - `account_claimed`: by the owner of the account; rows of earlier releases say `unproven`
 * - `unlinked`: the identity that it was begun with
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

/** Ends sessions: their access tokens fail in this process at once, in others within seconds. */
@Injectable()
export class SessionRevocation {
  constructor(
    private readonly live: LiveSessions,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @returns whether there was such a session of that user to end */
  async revoke(manager: EntityManager, sessionId: string, userId: number, reason: RevocationReason): Promise<boolean> {
    this.unitOfWork.afterCommit(() => {
      this.live.forget(sessionId);
    });
    return (await this.end(manager, { id: sessionId, userId }, reason)) > 0;
  }

  /** Ends all sessions of a user but one, and the one-time codes that could still begin one. @returns how many were ended */
  async revokeAll(manager: EntityManager, userId: number, reason: RevocationReason, but = ''): Promise<number> {
    this.unitOfWork.afterCommit(() => {
      this.live.forgetAll();
    });
    // The exchange of a code itself refuses a disabled user.
    if (reason !== 'disabled') {
      await manager.delete(Challenge, { userId, purpose: 'exchange', consumedAt: IsNull() });
    }
    return this.end(manager, { id: Not(but), userId }, reason);
  }

  /** Ends a session whose refresh token was shown twice, which its user is mailed. */
  async revokeReused(manager: EntityManager, account: Account, sessionId: string, visitor: Visitor): Promise<void> {
    const { id: userId, email } = account;
    await this.revoke(manager, sessionId, userId, 'reused');
    const event = { event: 'refresh.reused', outcome: 'failure', userId, email, sessionId, visitor } as const;
    await this.audit.add(manager, event);
  }

  private async end(manager: EntityManager, which: FindOptionsWhere<Session>, revokeReason: RevocationReason) {
    const living = { ...which, revokedAt: IsNull() };
    const { affected } = await manager.update(Session, living, { revokedAt: this.clock.now(), revokeReason });
    return affected ?? 0;
  }
}

export type LogoutScope = 'local' | 'others' | 'all';

const MAX_LISTED = 100;

/** The devices on which users are signed in. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: ReadRepository<Session>,
    private readonly revocation: SessionRevocation,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly times: SessionTimes,
  ) {}

  /** The living sessions of a user, the one used last first; at most a hundred. */
  list(userId: number): Promise<Session[]> {
    return this.sessions.find({
      where: { ...this.times.living(), userId },
      order: { refreshedAt: 'DESC', id: 'ASC' },
      take: MAX_LISTED,
    });
  }

  find(id: string): Promise<Session | null> {
    return this.sessions.findOneBy({ id });
  }

  /** The session, unless it was ended or has come to its end. */
  findLiving(id: string): Promise<Session | null> {
    return this.sessions.findOneBy({ ...this.times.living(), id });
  }

  /** Nothing happens if the session has ended already. */
  async logout({ userId, sessionId }: SessionRef, scope: LogoutScope, visitor: Visitor): Promise<void> {
    const entry = { event: 'logout' satisfies AuditEventName, outcome: 'success', userId, sessionId, visitor } as const;
    await this.unitOfWork.run(async (manager) => {
      const hasEnded = await this.revokeScope(manager, { userId, sessionId }, scope);
      if (hasEnded) await this.audit.add(manager, { ...entry, details: { scope } });
    });
  }

  /**
   * Ends one session of the user whose session asks.
   *
   * @throws {DomainError} `session_not_found`: also for one of another user; `invalid_token`: the session that asks has ended
   */
  async end(own: SessionRef, sessionId: string, visitor: Visitor): Promise<void> {
    const { userId } = own;
    await this.unitOfWork.run(async (manager) => {
      if (!(await this.isLiving(manager, own)))
        throw new DomainError('invalid_token', 'The token is not valid, has expired or was revoked.');
      if (!(await this.revocation.revoke(manager, sessionId, userId, 'ended'))) throw sessionNotFound();
      await this.audit.add(manager, { event: 'session.ended', outcome: 'success', userId, sessionId, visitor });
    });
  }

  /** @returns whether any session has ended by that */
  private async revokeScope(manager: EntityManager, { userId, sessionId }: SessionRef, scope: LogoutScope) {
    if (scope === 'local') return this.revocation.revoke(manager, sessionId, userId, 'logout');
    if (!(await this.isLiving(manager, { userId, sessionId }))) return false;
    const but = scope === 'others' ? sessionId : '';
    return (await this.revocation.revokeAll(manager, userId, 'logout', but)) > 0;
  }

  /** The tokens of an ended session may be in the hands of a thief: they end no other session. */
  private isLiving(manager: EntityManager, { userId, sessionId: id }: SessionRef): Promise<boolean> {
    return manager.existsBy(Session, { ...this.times.living(), userId, id });
  }
}

export function sessionNotFound(): DomainError {
  return new DomainError('session_not_found', 'There is no such session, or it has ended.');
}
