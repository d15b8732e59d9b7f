import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import { ownerIdOf } from '../../common/access/caller.js';
import { Reauthorization } from '../../database/units/reauthorization.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { Account } from '../../users/rows/account.js';
import type { UserAuthority } from '../../users/roles/user-authority.js';
import { UserLocks } from '../../users/rows/user-locks.js';
import { SessionRevocation } from '../sessions/lifecycle/session-revocation.js';
import { sessionNotFound } from '../sessions/lifecycle/sessions.service.js';

/** Ends the sessions of others, for those who manage users. */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: UserLocks,
    private readonly reauthorization: Reauthorization,
    private readonly revocation: SessionRevocation,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `user_not_found`, `insufficient_scope`, `invalid_token` */
  endAll(userId: number, authority: UserAuthority): Promise<void> {
    return this.ending(userId, authority, async (manager, { id, email }) => {
      const sessions = await this.revocation.revokeAll(manager, id, 'ended');
      await this.note(manager, { userId: id, email, details: { sessions } }, authority);
    });
  }

  /** @throws {DomainError} `user_not_found`, `session_not_found`, `insufficient_scope`, `invalid_token` */
  end(userId: number, sessionId: string, authority: UserAuthority): Promise<void> {
    return this.ending(userId, authority, async (manager, { id, email }) => {
      if (!(await this.revocation.revoke(manager, sessionId, id, 'ended'))) throw sessionNotFound();
      await this.note(manager, { userId: id, email, sessionId }, authority);
    });
  }

  private async ending(
    userId: number,
    authority: UserAuthority,
    work: (manager: EntityManager, account: Account) => Promise<void>,
  ): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const { actor } = authority;
      const account = await this.locks.one(manager, { id: userId, beside: ownerIdOf(actor) });
      authority.as(await this.reauthorization.confirm(manager, actor, 'users:write')).requireOver(account);
      await work(manager, account);
    });
    this.revocation.settled();
  }

  private note(
    manager: EntityManager,
    about: { userId: number; email: string; sessionId?: string; details?: { sessions: number } },
    { actor, visitor }: UserAuthority,
  ): Promise<void> {
    return this.audit.add(manager, { event: 'session.ended', outcome: 'success', ...about, actor, visitor });
  }
}
