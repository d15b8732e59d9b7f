import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { Audit } from '../../../../audit/audit.js';
import { type Caller, ownerIdOf, type Scope } from '../../../../common/access/caller.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { Clock } from '../../../../common/clock.js';
import { DomainError } from '../../../../common/errors/domain-error.js';
import { readerOf } from '../../../../database/statements/reads.js';
import { Reauthorization } from '../../../../database/units/reauthorization.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import { ActingAdmins } from '../../../../users/roles/acting-admins.js';
import { managedElsewhere } from '../../../../users/roles/managed-roles.js';
import type { UserAuthority } from '../../../../users/roles/user-authority.js';
import type { Account } from '../../../../users/rows/account.js';
import { Accounts } from '../../../../users/rows/accounts.js';
import { isUser } from '../../../../users/rows/user-rows.js';
import { userNotFound } from '../../../../users/user.errors.js';
import { AccountCredentials } from '../../../accounts/account-credentials.js';
import {
  CredentialCaches,
  CredentialRevocation,
  type CredentialKind,
} from '../../../accounts/credential-revocation.js';
import { issuerOf, Identity } from '../../../accounts/identity.entity.js';
import { ManagedRoleRemoval } from '../../../accounts/proven-mailbox.js';
import type { Grant } from '../../../exchange/exchange-codes.js';
import { Challenge } from '../../../secrets/challenge.entity.js';
import { SessionRevocation, type RevocationReason } from '../../../sessions/lifecycle/sessions.service.js';
import type { SessionRef } from '../../../tokens/access/session-ref.js';
import { Session } from '../../../tokens/access/session.entity.js';
import { Identities, providerSession } from '../identity/identities.js';
import { type ProviderLogout, identityNotFound } from '../identity/identity-provider.js';

const REASON: RevocationReason = 'provider_logout';

interface Revocation {
  readonly userId: number;
  readonly provider: string;
  readonly reason: RevocationReason;
  /** The session that stays. */
  readonly staying?: string | undefined;
  /** True if only those are meant of which the provider has named no session of its own. */
  readonly isUnnamed?: boolean;
}

/** Ends sessions that were begun with an identity provider, and the codes that would still begin one. */
@Injectable()
export class ProviderSessions {
  constructor(
    private readonly revocation: SessionRevocation,
    private readonly identities: Identities,
    private readonly accounts: Accounts,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /** Ends what a provider says is over, pending sign-ins included. */
  async endByLogout(manager: EntityManager, logout: ProviderLogout, visitor: Visitor): Promise<void> {
    const { provider, subject } = logout;
    const linked = subject === null ? null : await this.identities.find(manager, { provider, subject });
    const userId = linked?.userId ?? null;
    const sessions = await this.endNamed(manager, logout, userId);
    if (sessions === 0) return;
    const entry = { event: 'session.ended', outcome: 'success', userId, visitor, provider } as const;
    await this.audit.add(manager, { ...entry, reason: REASON, details: { sessions } });
  }

  /** @returns how many sessions were ended */
  async endOf(
    manager: EntityManager,
    { userId, provider, reason, staying, isUnnamed = false }: Revocation,
  ): Promise<number> {
    const living = await manager.find(Session, { where: { userId, revokedAt: IsNull() }, order: { id: 'ASC' } });
    const isMeant = (sid: string | null = null) => !isUnnamed || sid === null;
    const begun = living.filter(
      ({ id, amr, providerSid }) => id !== staying && amr.split(' ').includes(provider) && isMeant(providerSid),
    );
    await this.endCodes(manager, userId, ({ amr, providerSid }) => amr.includes(provider) && isMeant(providerSid));
    return this.endAll(manager, begun, reason);
  }

  /** @param userId the person whom the provider has named; `null`: it has named none, or one without an account */
  private async endNamed(manager: EntityManager, logout: ProviderLogout, userId: number | null): Promise<number> {
    const sid = providerSession(logout);
    const named = sid === null ? [] : await this.livingIn(manager, sid);
    // The users are locked before their codes and sessions.
    const owners = [...named.map((session) => session.userId), ...(userId === null ? [] : [userId])];
    await this.accounts.lockSeveral(manager, [...new Set(owners)]);
    const ended = sid === null ? 0 : await this.endIn(manager, sid);
    const isFound = sid !== null && (await manager.existsBy(Session, { providerSid: sid }));
    if (userId === null || isFound) return ended;
    // A session that began without a `sid` may be the one that is meant; one with another `sid` is not.
    const { provider } = logout;
    return this.endOf(manager, { userId, provider, reason: REASON, isUnnamed: sid !== null });
  }

  private async endIn(manager: EntityManager, providerSid: string): Promise<number> {
    const begun = await this.livingIn(manager, providerSid);
    await this.endCodes(manager, null, (grant) => grant.providerSid === providerSid);
    return this.endAll(manager, begun, REASON);
  }

  private livingIn(manager: EntityManager, providerSid: string): Promise<Session[]> {
    return manager.find(Session, { where: { providerSid, revokedAt: IsNull() }, order: { id: 'ASC' } });
  }

  private async endAll(manager: EntityManager, sessions: readonly Session[], reason: RevocationReason) {
    for (const { id, userId } of sessions) await this.revocation.revoke(manager, id, userId, reason);
    return sessions.length;
  }

  /** Codes live for a minute, so there are few. */
  private async endCodes(manager: EntityManager, userId: number | null, isMeant: (grant: Grant) => boolean) {
    const isOpen = { purpose: 'exchange', consumedAt: IsNull(), expiresAt: MoreThan(this.clock.now()) } as const;
    const where = userId === null ? isOpen : { ...isOpen, userId };
    const open = await manager.find(Challenge, { where, order: { id: 'ASC' } });
    // Written by `ExchangeCodes` alone.
    const meant = open.filter(({ context }) => isMeant(JSON.parse(context ?? '') as Grant));
    for (const { id } of meant) await manager.delete(Challenge, { id });
  }
}

interface Unlinked {
  readonly userId: number;
  readonly identityId: number;
  readonly actor: Caller;
  /** Scope that the actor needs; `null`: any living session is enough. */
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
    private readonly caches: CredentialCaches,
  ) {}

  /** @throws {DomainError} `user_not_found`, `identity_not_found`, `last_admin`, `invalid_token`, `insufficient_scope` */
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
      this.caches.forgetAfterCommit();
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
   * Unlinks an identity of the user who asks. That of an issuer or a gateway stays: the next token would make a second
   * account, by which users could pass by the disabling of the first one, or would be refused for good.
   *
   * @throws {DomainError} `identity_not_found`, `last_credential`, `last_admin`, `invalid_token`, `managed_elsewhere`: the
   *   role comes from its provider, or it is of an issuer
   */
  async unlinkOwn({ userId, sessionId }: SessionRef, identityId: number, actor: Caller, visitor: Visitor) {
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
  }

  /**
   * Unlinks an identity of another user, whose role then belongs to administrators. With an address that is not proved, a
   * role from the provider goes as well.
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
  }

  private async revoke(manager: EntityManager, user: Account, kind: CredentialKind): Promise<void> {
    await this.ends.revoke(manager, user, { reason: 'unlinked', kinds: [kind] });
  }
}
