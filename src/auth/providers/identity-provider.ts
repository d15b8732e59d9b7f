import type { CanActivate } from '@nestjs/common';
import type { ProviderName } from '../../config/provider-settings.js';
import type { EmailAddress } from '../../users/email-address.js';

/** By how much the clock of a provider may differ from ours, seconds. */
export const CLOCK_TOLERANCE = 30;

/** Whom a provider has proved somebody to be. */
export interface ProviderIdentity {
  readonly provider: ProviderName;
  /** The `sub`: the one thing about an account there that never changes. */
  readonly subject: string;
  /** `null`: none was told, or none that we send mail to. */
  readonly email: EmailAddress | null;
  readonly isEmailVerified: boolean;
  /** Whether the provider itself runs the mailbox, so that its word holds even against an unproven account. */
  readonly isEmailAuthoritative: boolean;
  readonly name: string | null;
  /** Names this proof, so that it counts once: whoever shows it again is refused. */
  readonly proof: string;
  /** When the proof ends by itself, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Port: a service that proves who somebody is. */
export interface IdentityProvider {
  readonly name: ProviderName;
  /** Names that it may give itself. */
  readonly issuers: readonly string[];
  /** Whether it names itself to every browser that comes back. */
  readonly tellsIssuer: boolean;
  /** Sends a browser to the provider, and redeems what it brings back. */
  readonly guard: CanActivate;
  /**
   * Whom an id_token is about that an app got from the provider.
   *
   * @throws {DomainError} `invalid_id_token`, `provider_unavailable`
   */
  identify(idToken: string, nonce: string): Promise<ProviderIdentity>;
}
