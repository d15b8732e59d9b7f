import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, type EntityManager } from 'typeorm';
import { Clock } from '../../../../common/clock.js';
import { Challenge } from '../../../secrets/challenge.entity.js';
import { SessionRevocation, type RevocationReason } from '../../../sessions/lifecycle/session-revocation.js';
import { Session } from '../../../tokens/access/session.entity.js';

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

/** What an open one-time code is worth, as far as it matters here. */
interface Grant {
  readonly amr: readonly string[];
  readonly providerSid?: string | null;
}

/** Ends sessions that were begun with an identity provider, and the codes that would still begin one. */
@Injectable()
export class ProviderSessions {
  constructor(
    private readonly revocation: SessionRevocation,
    private readonly clock: Clock,
  ) {}

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

  /**
   * @param providerSid see `providerSession`
   * @returns how many sessions were ended
   */
  async endIn(manager: EntityManager, providerSid: string, reason: RevocationReason): Promise<number> {
    const begun = await manager.find(Session, { where: { providerSid, revokedAt: IsNull() }, order: { id: 'ASC' } });
    await this.endCodes(manager, null, (grant) => grant.providerSid === providerSid);
    return this.endAll(manager, begun, reason);
  }

  /** Whose living sessions were begun in that of the provider. Locks nothing. */
  async ownersOf(manager: EntityManager, providerSid: string): Promise<readonly number[]> {
    const living = await manager.find(Session, {
      select: { id: true, userId: true },
      where: { providerSid, revokedAt: IsNull() },
    });
    return [...new Set(living.map(({ userId }) => userId))];
  }

  /** Whether a session was begun in that of the provider, ended or not. */
  isKnown(manager: EntityManager, providerSid: string): Promise<boolean> {
    return manager.existsBy(Session, { providerSid });
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
