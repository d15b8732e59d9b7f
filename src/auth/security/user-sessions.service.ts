import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../audit/audit.js';
import { ownerIdOf, type Caller } from '../../common/access/caller.js';
import { Reauthorization } from '../../database/units/reauthorization.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import type { UserAuthority } from '../../users/roles/user-authority.js';
import type { Account } from '../../users/rows/account.js';
import { UserLocks } from '../../users/rows/user-locks.js';
import { SessionRevocation } from '../sessions/lifecycle/session-revocation.js';
import { sessionNotFound } from '../sessions/lifecycle/sessions.service.js';

/** Holds users still while a caller who has power over their roles changes what opens their accounts. */
@Injectable()
export class HeldUsers {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: UserLocks,
    private readonly reauthorization: Reauthorization,
  ) {}

  /**
   * @param work gets the account, and the actor as confirmed in this unit of work
   * @throws {DomainError} `user_not_found`, `insufficient_scope`, `invalid_token`
   */
  change(
    userId: number,
    authority: UserAuthority,
    work: (manager: EntityManager, account: Account, present: Caller) => Promise<void>,
  ): Promise<void> {
    return this.unitOfWork.run(async (manager) => {
      const { actor } = authority;
      const account = await this.locks.one(manager, { id: userId, beside: ownerIdOf(actor) });
      const present = await this.reauthorization.confirm(manager, actor, 'users:write');
      authority.as(present).requireOver(account);
      await work(manager, account, present);
    });
  }
}

/** Ends the sessions of others, for those who manage users. */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly held: HeldUsers,
    private readonly revocation: SessionRevocation,
    private readonly audit: Audit,
  ) {}

  /** @throws {DomainError} `user_not_found`, `insufficient_scope`, `invalid_token` */
  async endAll(userId: number, authority: UserAuthority): Promise<void> {
    await this.held.change(userId, authority, async (manager, { id, email }) => {
      const sessions = await this.revocation.revokeAll(manager, id, 'ended');
      await this.audit.add(manager, { ...ended(authority), userId: id, email, details: { sessions } });
    });
    this.revocation.settled();
  }

  /** @throws {DomainError} `user_not_found`, `session_not_found`, `insufficient_scope`, `invalid_token` */
  async end(userId: number, sessionId: string, authority: UserAuthority): Promise<void> {
    await this.held.change(userId, authority, async (manager, { id, email }) => {
      if (!(await this.revocation.revoke(manager, sessionId, id, 'ended'))) throw sessionNotFound();
      await this.audit.add(manager, { ...ended(authority), userId: id, email, sessionId });
    });
    this.revocation.settled();
  }
}

function ended({ actor, visitor }: UserAuthority) {
  return { event: 'session.ended', outcome: 'success', actor, visitor } as const;
}
