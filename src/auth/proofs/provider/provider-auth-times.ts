import { Injectable } from '@nestjs/common';
import type { ProviderName } from '../../../config/provider-settings.js';
import { Settings } from '../../../config/settings.js';
import type { ProviderIdentity } from './identity/identity-provider.js';

/** Ways to show the service itself who one is. */
const OWN_WAYS = ['password', 'otp', 'magic-link'] as const;

/**
 * Decides what a sign-in with a provider is worth as a fresh one. A session that goes on there shows who has signed in
 * once, not who sits there now.
 *
 * @see OpenID Connect Core 1.0, section 3.1.2.1, and RFC 9470
 */
@Injectable()
export class ProviderAuthTimes {
  constructor(private readonly settings: Settings) {}

  /**
   * When the user proved who they are, milliseconds since 1970, UTC; 0: that is unknown. Google and Apple have no user
   * sign in again: that they were asked to choose counts where nothing else
   * can, and at Google where the operator says so.
   *
   * @param wasAsked whether the provider was to have the user sign in again
   */
  of({ provider, authTime, issuedAt }: ProviderIdentity, wasAsked: boolean): number {
    if (authTime !== null) return authTime;
    return wasAsked && this.isChoiceEnough(provider) ? issuedAt : 0;
  }

  private isChoiceEnough(provider: ProviderName): boolean {
    const { signIn, providers } = this.settings;
    if (provider === 'google' && providers.google?.isChoiceFresh === true) return true;
    return provider !== 'oidc' && !OWN_WAYS.some((way) => signIn.methods.has(way));
  }
}
