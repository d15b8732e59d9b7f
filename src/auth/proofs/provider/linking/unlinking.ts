import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../../audit/audit.js';
import { ownerIdOf, type Caller, type Scope } from '../../../../common/access/caller.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { readerOf } from '../../../../database/statements/reads.js';
import { Reauthorization } from '../../../../database/units/reauthorization.js';
import type { Account } from '../../../../users/rows/account.js';
import { isUser } from '../../../../users/rows/user-rows.js';
import { userNotFound } from '../../../../users/user.errors.js';
import { ActingAdmins } from '../../../../users/roles/acting-admins.js';
import { Identity } from '../../../accounts/identity.entity.js';
import { Identities } from '../identity/identities.js';
import { identityNotFound } from '../identity/provider.errors.js';
import { ProviderSessions } from './provider-sessions.js';

/** What is unlinked, and by whom. */
export interface Unlinked {
  readonly userId: number;
  readonly identityId: number;
  readonly actor: Caller;
  /** What the actor needs; `null`: any living session is enough. */
  readonly scope: Scope | null;
  readonly visitor: Visitor | null;
  /** The session that stays. */
  readonly staying?: string;
}

/** Judges an account without the identity, and the actor as they are in the unit of work. */
type Settle = (user: Account, provider: string, present: Caller) => Promise<void>;

/** Takes an identity away from an account in a unit of work, with all that follows from it. */
@Injectable()
export class Unlinking {
  constructor(
    private readonly admins: ActingAdmins,
    private readonly identities: Identities,
    private readonly sessions: ProviderSessions,
    private readonly audit: Audit,
    private readonly reauthorization: Reauthorization,
  ) {}

  /**
   * @throws {DomainError} `user_not_found`, `identity_not_found`, `last_admin`, `invalid_token`, `insufficient_scope`, and
   *   what `settle` throws
   */
  async remove(manager: EntityManager, unlinked: Unlinked, settle: Settle): Promise<void> {
    if (!(await this.isThere(manager, unlinked))) return this.refuse(manager, unlinked);
    // Of several who unlink together each sees what the one before has left.
    const held = { id: unlinked.userId, beside: ownerIdOf(unlinked.actor) };
    await this.admins.keeping(manager, held, async (user) => {
      const present = await this.reauthorization.confirm(manager, unlinked.actor, unlinked.scope);
      const { identityId, userId, staying } = unlinked;
      const identity = await manager.findOneBy(Identity, { id: identityId, userId });
      if (!identity) throw identityNotFound(identityId);
      const { provider } = identity;
      const sessions = await this.sessions.endOf(manager, { userId, provider, reason: 'unlinked', staying });
      await this.identities.remove(manager, identity);
      await settle(user, provider, present);
      const { actor, visitor } = unlinked;
      const entry = {
        event: 'provider.unlink',
        outcome: 'success',
        userId,
        email: user.email,
        actor,
        visitor,
      } as const;
      await this.audit.add(manager, { ...entry, provider, details: { sessions } });
    });
  }

  private isThere(manager: EntityManager, { identityId: id, userId }: Unlinked): Promise<boolean> {
    return manager.existsBy(Identity, { id, userId });
  }

  /** Without a lock on the user, for which others would wait. */
  private async refuse(manager: EntityManager, { userId, identityId, actor, scope }: Unlinked): Promise<never> {
    await this.reauthorization.confirm(manager, actor, scope);
    throw (await isUser(readerOf(manager), userId)) ? identityNotFound(identityId) : userNotFound(userId);
  }
}
