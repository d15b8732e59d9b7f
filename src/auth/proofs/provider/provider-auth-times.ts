import { Injectable } from '@nestjs/common';
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
   * sign in again: that they were asked to choose counts where nothing else can.
   *
   * @param wasAsked whether the provider was to have the user sign in again
   */
  of({ provider, authTime, issuedAt }: ProviderIdentity, wasAsked: boolean): number {
    if (authTime !== null) return authTime;
    const { methods } = this.settings.signIn;
    const isOnlyWay = provider !== 'oidc' && !OWN_WAYS.some((way) => methods.has(way));
    return wasAsked && isOnlyWay ? issuedAt : 0;
  }
}
