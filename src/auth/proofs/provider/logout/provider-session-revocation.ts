import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../../audit/audit.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { UserLocks } from '../../../../users/rows/user-locks.js';
import { Identities } from '../identity/identities.js';
import type { ProviderLogout } from '../identity/identity-provider.js';
import { providerSession } from '../identity/provider-session.js';
import { ProviderLogouts } from '../linking/provider-logouts.js';
import { ProviderSessions } from '../linking/provider-sessions.js';

/** What was ended, and whose it was. */
interface RevokedSessions {
  /** `null`: the provider has named no person, or one without an account. */
  readonly userId: number | null;
  readonly sessions: number;
}

/** Ends sessions on the back-channel logout of a provider, pending sign-ins included, and writes it to the audit. */
@Injectable()
export class ProviderSessionRevocation {
  constructor(
    private readonly identities: Identities,
    private readonly sessions: ProviderSessions,
    private readonly audit: Audit,
    private readonly locks: UserLocks,
    private readonly logouts: ProviderLogouts,
  ) {}

  async byLogout(manager: EntityManager, logout: ProviderLogout, visitor: Visitor): Promise<void> {
    // Before the users are held: a sign-in of that moment is found below, or finds this.
    await this.logouts.remember(manager, logout);
    const { userId, sessions } = await this.endNamed(manager, logout);
    if (sessions === 0) return;
    const entry = { event: 'session.ended', outcome: 'success', userId, visitor, provider: logout.provider } as const;
    await this.audit.add(manager, { ...entry, reason: 'provider_logout', details: { sessions } });
  }

  private async endNamed(
    manager: EntityManager,
    { provider, subject, sessionId }: ProviderLogout,
  ): Promise<RevokedSessions> {
    const linked = subject === null ? null : await this.identities.find(manager, { provider, subject });
    const userId = linked?.userId ?? null;
    const reason = 'provider_logout';
    const sid = providerSession({ provider, sessionId });
    await this.hold(manager, userId, sid);
    const named = sid === null ? 0 : await this.sessions.endIn(manager, sid, reason);
    const isFound = sid !== null && (await this.sessions.isKnown(manager, sid));
    if (userId === null || isFound) return { userId, sessions: named };
    // A session that began without a `sid` may be the one that is meant; one with another `sid` is not.
    const isUnnamed = sid !== null;
    return { userId, sessions: await this.sessions.endOf(manager, { userId, provider, reason, isUnnamed }) };
  }

  /** The users are locked before their codes and sessions. */
  private async hold(manager: EntityManager, userId: number | null, sid: string | null): Promise<void> {
    const owners = sid === null ? [] : await this.sessions.ownersOf(manager, sid);
    await this.locks.several(manager, userId === null ? owners : [...owners, userId]);
  }
}
