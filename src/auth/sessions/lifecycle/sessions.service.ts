import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../audit/audit.js';
import type { AuditEventName } from '../../../audit/audit-event.js';
import type { Visitor } from '../../../common/access/visitor.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { ReadRepository } from '../../../database/statements/reads.js';
import { UnitOfWork } from '../../../database/units/unit-of-work.js';
import { SessionTimes } from '../../tokens/access/live-sessions.js';
import type { SessionRef } from '../../tokens/access/session-ref.js';
import { Session } from '../../tokens/access/session.entity.js';
import { SessionRevocation } from './session-revocation.js';

/** Which sessions of a user a logout ends: the one it comes from, all others, or all. */
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

  /** Ends the session, the others of its user, or all of them. Nothing happens where it has ended already. */
  async logout({ userId, sessionId }: SessionRef, scope: LogoutScope, visitor: Visitor): Promise<void> {
    const entry = { event: 'logout' satisfies AuditEventName, outcome: 'success', userId, sessionId, visitor } as const;
    await this.unitOfWork.run(async (manager) => {
      const hasEnded = await this.revokeScope(manager, { userId, sessionId }, scope);
      if (hasEnded) await this.audit.add(manager, { ...entry, details: { scope } });
    });
    if (scope === 'local') this.revocation.settledOne(sessionId);
    else this.revocation.settled();
  }

  /**
   * Ends one session of the user whose session asks.
   *
   * @throws {DomainError} `session_not_found`: also for one of another user, or one that has ended; `invalid_token`: the
   *   session that asks has ended, which the process that let it in learns some seconds later
   */
  async end(own: SessionRef, sessionId: string, visitor: Visitor): Promise<void> {
    const { userId } = own;
    await this.unitOfWork.run(async (manager) => {
      if (!(await this.isLiving(manager, own)))
        throw new DomainError('invalid_token', 'The token is not valid, has expired or was revoked.');
      if (!(await this.revocation.revoke(manager, sessionId, userId, 'ended'))) throw sessionNotFound();
      await this.audit.add(manager, { event: 'session.ended', outcome: 'success', userId, sessionId, visitor });
    });
    this.revocation.settledOne(sessionId);
  }

  /** @returns whether any session has ended by that */
  private async revokeScope(
    manager: EntityManager,
    { userId, sessionId }: SessionRef,
    scope: LogoutScope,
  ): Promise<boolean> {
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

/** @returns the refusal of a session that is not there, has ended, or belongs to another user */
export function sessionNotFound(): DomainError {
  return new DomainError('session_not_found', 'There is no such session, or it has ended.');
}
