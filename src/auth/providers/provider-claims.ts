import type { ProviderName } from '../../config/provider-settings.js';
import { emailAddress } from '../../users/email-address.js';
import type { ProviderIdentity } from './identity-provider.js';
import type { IdClaims } from './id-tokens.js';

const MAX_NAME_PART = 80;
const GMAIL = /@(?:gmail|googlemail)\.com$/;

/** The person that claims are about. Apple tells flags as texts, too; anything but a plain yes is a no. */
export function identityOf(provider: ProviderName, claims: IdClaims, proof: string): ProviderIdentity {
  const email = typeof claims.email === 'string' ? emailAddress(claims.email) : null;
  return {
    provider,
    subject: claims.sub,
    email,
    isEmailVerified: claims.email_verified === true || claims.email_verified === 'true',
    isEmailAuthoritative: provider !== 'google' || GMAIL.test(email?.key ?? '') || isHosted(claims),
    name: personName(claims.name),
    proof,
    expiresAt: claims.exp * 1_000,
  };
}

/** Google verifies addresses of other domains once, and their mailboxes may change hands afterwards. An empty `hd` is none. */
function isHosted({ hd }: IdClaims): boolean {
  return typeof hd === 'string' && hd.trim() !== '';
}

/**
 * The name in the `user` that Apple sends with the first sign-in. The browser hands it on, so it is worth no more than
 * what somebody types: `{"name":{"firstName":"Ann","lastName":"Lee"}}` -> `Ann Lee`
 */
export function appleName(user: string | null): string | null {
  const { firstName, lastName } = nameParts(user);
  const parts = [firstName, lastName].map((part) => personName(part)).filter((part) => part !== null);
  return parts.length > 0 ? parts.join(' ') : null;
}

function nameParts(user: string | null): { firstName?: unknown; lastName?: unknown } {
  try {
    const { name } = (JSON.parse(user ?? '{}') ?? {}) as { name?: { firstName?: unknown; lastName?: unknown } | null };
    return name ?? {};
  } catch {
    return {};
  }
}

/** A text on one line; `null` where nothing is left of it. */
export function personName(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '').trim();
  const cut = Array.from(line).slice(0, MAX_NAME_PART).join('').trim();
  return cut === '' ? null : cut;
}
