import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../../audit/audit.js';
import type { Visitor } from '../../../../common/access/visitor.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import { UserLocks } from '../../../../users/rows/user-locks.js';
import { SessionRevocation } from '../../../sessions/lifecycle/session-revocation.js';
import { Identities, providerSession } from '../identity/identities.js';
import type { ProviderLogout } from '../identity/identity-provider.js';
import { invalidLogoutToken } from '../identity/provider.errors.js';
import { ReplayGuard, rememberLogout } from '../identity/replay-guard.js';
import { ProviderSessions } from '../linking/provider-sessions.js';
import { IdentityProviders } from '../passport/identity-providers.js';

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
  ) {}

  async byLogout(manager: EntityManager, logout: ProviderLogout, visitor: Visitor): Promise<void> {
    // Before the users are held: a sign-in of that moment is found below, or finds this.
    await rememberLogout(manager, logout);
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

/**
 * Ends sessions when the provider says that its own are over.
 *
 * @see OpenID Connect Back-Channel Logout 1.0
 */
@Injectable()
export class BackchannelLogoutService {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly unitOfWork: UnitOfWork,
    private readonly replays: ReplayGuard,
    private readonly sessions: ProviderSessionRevocation,
    private readonly revocation: SessionRevocation,
  ) {}

  /**
   * Ends the sessions that were begun in one of the provider, or all of its person that were begun there. Nothing happens
   * where there is none. `AUTH_METHODS` may have left `oidc` out meanwhile: what it began goes on.
   *
   * @throws {DomainError} `invalid_logout_token`, `provider_not_configured`, `provider_unavailable`
   */
  async end(token: unknown, visitor: Visitor): Promise<void> {
    if (typeof token !== 'string') throw invalidLogoutToken(new Error('logout_token is missing'));
    const logout = await (await this.providers.configured('oidc')).logout(token);
    await this.unitOfWork.run(async (manager) => {
      await this.replays.spendLogout(manager, logout);
      await this.sessions.byLogout(manager, logout, visitor);
    });
    this.revocation.settled();
  }
}
