import type { StateStore } from 'passport-oauth2';
import type { Logger } from 'pino';
import type { Clock } from '../../../../common/clock.js';
import type { OidcSettings, ProviderEndpoints, ProviderName } from '../../../../config/provider-settings.js';
import { publicAddress } from '../../../../config/public-address.js';
import type { Settings } from '../../../../config/settings.js';
import type { Discovered } from '../identity/discovery.js';
import type { FlowCookies } from '../flow/flow-cookies.js';
import { FlowStateStore } from '../flow/flow-state-store.js';
import type { IdentityProvider } from '../identity/identity-provider.js';
import { PUBLIC_RULES } from '../identity/provider-claims.js';
import { IdTokens } from '../identity/id-tokens.js';
import { PassportProvider } from './passport-provider.js';
import { providerNotConfigured } from '../identity/provider.errors.js';
import { AppleStrategy, GoogleStrategy, OidcStrategy, type StrategyFrame } from './strategies.js';
import { neededClaims, withUserinfo } from '../identity/userinfo.js';

/** Makes providers out of their settings. */
export class PassportProviders {
  constructor(
    private readonly settings: Settings,
    private readonly cookies: FlowCookies,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  google(): IdentityProvider {
    const { google } = this.settings.providers;
    if (!google) throw providerNotConfigured('google');
    const { issuers, clientId, nativeClientIds } = google;
    return new PassportProvider({
      ...{ name: 'google', issuers, clientId, nativeClientIds },
      idTokens: this.idTokens('google', google),
      strategy: (verify) => new GoogleStrategy(google, this.frame('google'), verify),
      rules: { ...PUBLIC_RULES, domains: google.domains },
    });
  }

  apple(): IdentityProvider {
    const { apple } = this.settings.providers;
    if (!apple) throw providerNotConfigured('apple');
    const { issuers, clientId, nativeClientIds } = apple;
    return new PassportProvider({
      ...{ name: 'apple', issuers, clientId, nativeClientIds },
      idTokens: this.idTokens('apple', apple),
      strategy: (verify) => new AppleStrategy(apple, this.frame('apple'), verify),
    });
  }

  oidc(oidc: OidcSettings, found: Discovered): IdentityProvider {
    const { clientId, nativeClientIds } = oidc;
    const { issuers, sendsIssuer, userinfoUrl } = found;
    return new PassportProvider({
      ...{ name: 'oidc', issuers, sendsIssuer, clientId, nativeClientIds },
      idTokens: this.idTokens('oidc', found),
      strategy: (verify) => new OidcStrategy(oidc, found, this.frame('oidc'), verify),
      rules: oidc,
      complete: (claims, accessToken) => withUserinfo(claims, neededClaims(oidc), userinfoUrl, accessToken),
    });
  }

  private idTokens(provider: ProviderName, endpoints: ProviderEndpoints): IdTokens {
    return new IdTokens(endpoints, this.clock, (kids) => {
      this.log.warn({ provider, kids }, 'RSA keys of a provider are too weak, and no id_token is checked by them');
    });
  }

  /** `PUBLIC_URL` and never the `Host` of a request, which anybody can choose. */
  private frame(name: ProviderName): StrategyFrame {
    const store: unknown = new FlowStateStore(name, this.cookies);
    const callbackURL = publicAddress(this.settings, `/api/auth/${name}/callback`);
    // The types of passport-oauth2 do not know the form of a store that takes the PKCE verifier.
    return { callbackURL, store: store as StateStore };
  }
}
