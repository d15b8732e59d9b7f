import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../../common/clock.js';
import { LOG } from '../../../../common/logging/logging.module.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { publicAddress } from '../../../../config/public-address.js';
import { Settings } from '../../../../config/settings.js';
import { FlowCookies } from '../flow/flow-cookies.js';
import { Discovery } from '../identity/discovery.js';
import { providerNotConfigured } from '../identity/identity-provider.js';
import type { PassportProvider } from './passport-provider.js';
import type { ProviderParts } from './strategies.js';

/** The identity providers that are set up. Each is made when it is first asked for: a service without one loads no packages. */
@Injectable()
export class IdentityProviders {
  private readonly made = new WeakMap<object, PassportProvider>();
  private discovery: Discovery | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly cookies: FlowCookies,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Loads what providers need, and makes those whose endpoints are known: in a request that holds the event loop. */
  async load(): Promise<void> {
    const { google, apple, oidc } = this.settings.providers;
    if (google) await this.configured('google');
    if (apple) await this.configured('apple');
    if (oidc) await Promise.all([import('./strategies.js'), packages()]);
  }

  /** @throws {DomainError} `provider_not_configured`, `provider_unavailable` */
  async require(name: ProviderName): Promise<PassportProvider> {
    if (!this.settings.signIn.methods.has(name)) throw providerNotConfigured(name);
    return this.configured(name);
  }

  /** One that `AUTH_METHODS` may have left out. @throws {DomainError} `provider_not_configured`, `provider_unavailable` */
  async configured(name: ProviderName): Promise<PassportProvider> {
    const { googleParts, appleParts, oidcParts } = await import('./strategies.js');
    const { google, apple, oidc } = this.settings.providers;
    if (name === 'google' && google) return this.provider(name, google, () => googleParts(google));
    if (name === 'apple' && apple) return this.provider(name, apple, () => appleParts(apple));
    if (name !== 'oidc' || !oidc) throw providerNotConfigured(name);
    this.discovery ??= new Discovery(oidc.issuer);
    const found = await this.discovery.find();
    return this.provider(name, found, () => oidcParts(oidc, found));
  }

  /** @param origin what it is made of: made again when the provider has moved its endpoints */
  private async provider(name: ProviderName, origin: object, partsOf: () => ProviderParts): Promise<PassportProvider> {
    const [{ PassportProvider }, { IdTokens }] = await packages();
    const known = this.made.get(origin);
    if (known) return known;
    const parts = partsOf();
    const idTokens = new IdTokens(parts.endpoints, this.clock, (kids) => {
      this.log.warn(
        { provider: name, kids },
        'RSA keys of a provider are too weak, and no id_token is checked by them',
      );
    });
    // `PUBLIC_URL` and never the `Host` of a request, which anybody can choose.
    const callbackURL = publicAddress(this.settings, `/api/auth/${name}/callback`);
    const provider = new PassportProvider(name, parts, idTokens, this.cookies, callbackURL);
    this.made.set(origin, provider);
    return provider;
  }
}

/** jose is loaded with the second one. */
function packages() {
  return Promise.all([import('./passport-provider.js'), import('../identity/id-tokens.js')]);
}
