import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../../audit/audit.js';
import { type Caller, ownerIdOf, type Scope } from '../../../../common/access/caller.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { readerOf } from '../../../../database/statements/reads.js';
import { Reauthorization } from '../../../../database/units/reauthorization.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import { ActingAdmins } from '../../../../users/roles/acting-admins.js';
import { managedElsewhere } from '../../../../users/roles/managed-roles.js';
import type { UserAuthority } from '../../../../users/roles/user-authority.js';
import type { Account } from '../../../../users/rows/account.js';
import { isUser } from '../../../../users/rows/user-rows.js';
import { userNotFound } from '../../../../users/user.errors.js';
import { AccountCredentials } from '../../../accounts/account-credentials.js';
import { CredentialRevocation, type CredentialKind } from '../../../accounts/credential-revocation.js';
import { issuerOf, Identity } from '../../../accounts/identity.entity.js';
import { ManagedRoleRemoval } from '../../../accounts/managed-role-removal.js';
import type { SessionRef } from '../../../tokens/access/session-ref.js';
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
    private readonly sessions: ProviderSessions,
    private readonly audit: Audit,
    private readonly reauthorization: Reauthorization,
  ) {}

  /**
   * @throws {DomainError} `user_not_found`, `identity_not_found`, `last_admin`, `invalid_token`, `insufficient_scope`, and
   *   what `settle` throws
   */
  async remove(manager: EntityManager, unlinked: Unlinked, settle: Settle): Promise<void> {
    const isThere = await manager.existsBy(Identity, { id: unlinked.identityId, userId: unlinked.userId });
    if (!isThere) return this.refuse(manager, unlinked);
    // Of several who unlink together each sees what the one before has left.
    const held = { id: unlinked.userId, beside: ownerIdOf(unlinked.actor) };
    await this.admins.keeping(manager, held, async (user) => {
      const present = await this.reauthorization.confirm(manager, unlinked.actor, unlinked.scope);
      const { identityId, userId, staying } = unlinked;
      const identity = await manager.findOneBy(Identity, { id: identityId, userId });
      if (!identity) throw identityNotFound(identityId);
      const { provider } = identity;
      const sessions = await this.sessions.endOf(manager, { userId, provider, reason: 'unlinked', staying });
      await manager.delete(Identity, { id: identityId });
      await settle(user, provider, present);
      const { actor, visitor } = unlinked;
      const entry = { event: 'provider.unlink', outcome: 'success', userId, email: user.email } as const;
      await this.audit.add(manager, { ...entry, actor, visitor, provider, details: { sessions } });
    });
  }

  /** Without a lock on the user, for which others would wait. */
  private async refuse(manager: EntityManager, { userId, identityId, actor, scope }: Unlinked): Promise<never> {
    await this.reauthorization.confirm(manager, actor, scope);
    throw (await isUser(readerOf(manager), userId)) ? identityNotFound(identityId) : userNotFound(userId);
  }
}

/** Unlinks identities, for their users and for administrators. */
@Injectable()
export class UnlinkingService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly unlinking: Unlinking,
    private readonly roles: ManagedRoleRemoval,
    private readonly credentials: AccountCredentials,
    private readonly ends: CredentialRevocation,
  ) {}

  /**
   * Unlinks an identity of the user who asks. That of an issuer or a gateway stays: it cannot be linked again, and the next
   * token would make a second account, or be refused for good where accounts are not made. With a second account users
   * could also pass by the disabling of the first one.
   *
   * @throws {DomainError} `identity_not_found`, `last_credential`, `last_admin`, `invalid_token`, `managed_elsewhere`: the
   *   role comes from its provider, or it is of an issuer
   */
  async unlinkOwn(
    { userId, sessionId }: SessionRef,
    identityId: number,
    actor: Caller,
    visitor: Visitor,
  ): Promise<void> {
    const unlinked = { userId, identityId, actor, scope: null, visitor, staying: sessionId };
    await this.unitOfWork.run((manager) =>
      this.unlinking.remove(manager, unlinked, async (user, provider) => {
        const issuer = issuerOf({ provider });
        if (issuer !== null) {
          const message = `Your account was made for your sign-in at ${issuer}, so only an administrator can unlink it.`;
          throw new DomainError('managed_elsewhere', message);
        }
        if (user.roleSource === provider && this.roles.isManaged(user)) throw managedElsewhere(user);
        if (await this.credentials.isAnyUsable(readerOf(manager), [user])) return;
        const message = `Nothing else lets you in: ${this.credentials.otherWays} before you unlink this one.`;
        throw new DomainError('last_credential', message);
      }),
    );
    this.ends.settled();
  }

  /**
   * Unlinks an identity of another user, whose role then belongs to administrators. Where the address is not proved, a role
   * from the provider goes as well: it would be that of the first person who proves the address.
   *
   * @throws {DomainError} `user_not_found`, `identity_not_found`, `insufficient_scope`, `invalid_token`, `last_admin`
   */
  async unlinkOf(userId: number, identityId: number, authority: UserAuthority): Promise<void> {
    const { actor, visitor } = authority;
    const unlinked = { userId, identityId, actor, scope: 'users:write', visitor } as const;
    await this.unitOfWork.run((manager) =>
      this.unlinking.remove(manager, unlinked, async (user, provider, present) => {
        authority.as(present).requireOver(user);
        if (issuerOf({ provider }) !== null) return this.revoke(manager, user, 'issuer_role');
        if (user.roleSource !== provider) return;
        const isProved = user.emailVerifiedAt !== null;
        await this.revoke(manager, user, isProved ? 'role_source' : await this.roles.ofUnproven(manager, user));
      }),
    );
    this.ends.settled();
  }

  private async revoke(manager: EntityManager, user: Account, kind: CredentialKind): Promise<void> {
    await this.ends.revoke(manager, user, { reason: 'unlinked', kinds: [kind] });
  }
}
