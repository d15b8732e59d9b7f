import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../../common/access/visitor.js';
import { UnitOfWork } from '../../../../database/units/unit-of-work.js';
import { SessionRevocation } from '../../../sessions/lifecycle/session-revocation.js';
import { ProviderSessionRevocation } from './provider-session-revocation.js';
import { IdentityProviders } from '../passport/identity-providers.js';
import { invalidLogoutToken } from '../identity/provider.errors.js';
import { ReplayGuard } from '../identity/replay-guard.js';

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
