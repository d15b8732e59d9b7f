import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import type { Visitor } from '../../common/access/visitor.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { CredentialRevocation, endLockDownLinks } from '../accounts/credential-revocation.js';
import { ManagedRoleRemoval } from '../accounts/managed-role-removal.js';
import { invalidLink } from '../proofs/challenges/invalid-link.js';
import { LockDownLinks } from '../notices/lock-down-links.js';
import { newSecret } from '../secrets/secrets.js';
import type { SessionRef } from '../tokens/access/session-ref.js';
import { Session } from '../tokens/access/session.entity.js';
import { LockedAccounts, type LockedDown } from './locked-accounts.js';

/** Ends everything that opens an account, for an owner who suspects that others have it. */
@Injectable()
export class LockDownService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly roles: ManagedRoleRemoval,
    private readonly links: LockDownLinks,
    private readonly locked: LockedAccounts,
    private readonly credentials: CredentialRevocation,
  ) {}

  /**
   * By the link of a notice. One that was mailed to a former address ends as much, and mails no link for a new password:
   * the present address may be that of the thief who changed it. It ends all links that were mailed there: the former
   * address may as well be the one that is in other hands, and would keep the owner out with one link after another.
   *
   * @throws {DomainError} `invalid_link`
   */
  async byLink(token: string, visitor: Visitor): Promise<LockedDown> {
    const resetToken = newSecret();
    const done = await this.ending(async (manager) => {
      const userId = await this.links.ownerOf(manager, token);
      const account = userId === null ? null : await this.roles.hold(manager, userId);
      const address = account && (await this.links.consume(manager, token));
      if (!account || address === null) return null;
      const isPresent = address === account.email;
      if (!isPresent) await endLockDownLinks(manager, account.id, address);
      const details = { by: 'link', address: isPresent ? 'present' : 'former' };
      return this.locked.end(manager, account, { visitor, details, resetToken: isPresent ? resetToken : null });
    });
    if (!done) throw invalidLink();
    return done;
  }

  /**
   * By a signed-in user, whose own session ends too.
   *
   * @throws {DomainError} `invalid_token`: the account is gone, or the session has ended
   */
  async bySession(session: SessionRef, visitor: Visitor): Promise<LockedDown> {
    const { userId, sessionId } = session;
    const resetToken = newSecret();
    const done = await this.ending(async (manager) => {
      const account = await this.roles.hold(manager, userId);
      // Another process may have ended it seconds ago: the account is its owner's again, and stays so.
      const own = { id: sessionId, userId, revokedAt: IsNull() };
      if (!account || !(await manager.existsBy(Session, own))) return null;
      return this.locked.end(manager, account, { visitor, sessionId, details: { by: 'session' }, resetToken });
    });
    if (!done) throw new DomainError('invalid_token', 'The account of this token is gone, or its session has ended.');
    return done;
  }

  private async ending(work: (manager: EntityManager) => Promise<LockedDown | null>): Promise<LockedDown | null> {
    const done = await this.unitOfWork.run(work);
    this.credentials.settled();
    return done;
  }
}
