import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../../common/clock.js';
import { LOG } from '../../../../common/logging/logging.module.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { Settings } from '../../../../config/settings.js';
import { Discovery, type Discovered } from '../identity/discovery.js';
import { FlowCookies } from '../flow/flow-cookies.js';
import type { IdentityProvider } from '../identity/identity-provider.js';
import type { PassportProviders } from './passport-providers.js';
import { providerNotConfigured } from '../identity/provider.errors.js';

/**
 * The identity providers that are set up. Each is made when it is first asked for: the strategies refuse empty settings,
 * and a service that has no provider never loads Passport and jose for them ({@link load}).
 */
@Injectable()
export class IdentityProviders {
  private readonly made = new Map<ProviderName, IdentityProvider>();
  private discovery: Discovery | undefined;
  private discovered: Discovered | undefined;

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
    if (google ?? apple ?? oidc) await Promise.all([import('./passport-providers.js'), import('jose')]);
  }

  /** @throws {DomainError} `provider_not_configured`, `provider_unavailable` */
  async require(name: ProviderName): Promise<IdentityProvider> {
    if (!this.settings.signIn.methods.has(name)) throw providerNotConfigured(name);
    return this.configured(name);
  }

  /**
   * One that `AUTH_METHODS` may have left out.
   *
   * @throws {DomainError} `provider_not_configured`, `provider_unavailable`
   */
  async configured(name: ProviderName): Promise<IdentityProvider> {
    const { PassportProviders } = await import('./passport-providers.js');
    const making = new PassportProviders(this.settings, this.cookies, this.clock, this.log);
    if (name === 'oidc') return this.oidc(making);
    const provider = this.made.get(name) ?? making[name]();
    this.made.set(name, provider);
    return provider;
  }

  /** Made anew when the provider has moved its endpoints. */
  private async oidc(making: PassportProviders): Promise<IdentityProvider> {
    const { oidc } = this.settings.providers;
    if (!oidc) throw providerNotConfigured('oidc');
    this.discovery ??= new Discovery(oidc.issuer);
    const found = await this.discovery.find();
    const provider = found === this.discovered ? this.made.get('oidc') : undefined;
    this.discovered = found;
    const current = provider ?? making.oidc(oidc, found);
    this.made.set('oidc', current);
    return current;
  }
}
