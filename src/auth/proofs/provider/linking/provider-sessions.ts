import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, type EntityManager } from 'typeorm';
import { Audit } from '../../../../audit/audit.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { Clock } from '../../../../common/clock.js';
import { UserLocks } from '../../../../users/rows/user-locks.js';
import type { Grant } from '../../../exchange/exchange-codes.js';
import { Challenge } from '../../../secrets/challenge.entity.js';
import { SessionRevocation, type RevocationReason } from '../../../sessions/lifecycle/session-revocation.js';
import { Session } from '../../../tokens/access/session.entity.js';
import { Identities, providerSession } from '../identity/identities.js';
import type { ProviderLogout } from '../identity/identity-provider.js';

const REASON: RevocationReason = 'provider_logout';

/** Which sessions end: those of a user that began with a provider. */
interface Revocation {
  readonly userId: number;
  readonly provider: string;
  readonly reason: RevocationReason;
  /** The session that stays. */
  readonly staying?: string | undefined;
  /** Only those of which the provider has named no session of its own. */
  readonly isUnnamed?: boolean;
}

/** Ends sessions that were begun with an identity provider, and the codes that would still begin one. */
@Injectable()
export class ProviderSessions {
  constructor(
    private readonly revocation: SessionRevocation,
    private readonly identities: Identities,
    private readonly locks: UserLocks,
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
    await this.locks.several(manager, [...new Set(owners)]);
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

  /** The living sessions that were begun in one of the provider. */
  private livingIn(manager: EntityManager, providerSid: string): Promise<Session[]> {
    return manager.find(Session, { where: { providerSid, revokedAt: IsNull() }, order: { id: 'ASC' } });
  }

  private async endAll(
    manager: EntityManager,
    sessions: readonly Session[],
    reason: RevocationReason,
  ): Promise<number> {
    for (const { id, userId } of sessions) await this.revocation.revoke(manager, id, userId, reason);
    return sessions.length;
  }

  /** Codes live for a minute, so there are few. */
  private async endCodes(
    manager: EntityManager,
    userId: number | null,
    isMeant: (grant: Grant) => boolean,
  ): Promise<void> {
    const isOpen = { purpose: 'exchange', consumedAt: IsNull(), expiresAt: MoreThan(this.clock.now()) } as const;
    const open = await manager.find(Challenge, {
      where: userId === null ? isOpen : { ...isOpen, userId },
      order: { id: 'ASC' },
    });
    // Written by `ExchangeCodes` alone.
    const meant = open.filter(({ context }) => isMeant(JSON.parse(context ?? '') as Grant));
    for (const { id } of meant) await manager.delete(Challenge, { id });
  }
}
