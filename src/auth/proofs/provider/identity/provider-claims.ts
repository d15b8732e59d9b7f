import { emailAddress, type EmailAddress } from '../../../../common/text/email-address.js';
import type { DirectorySettings } from '../../../../config/directory-settings.js';
import type { DirectoryRoles } from '../../../../config/json-entry.js';
import type { ProviderName } from '../../../../config/provider-settings.js';
import { directoryRole, isClaimMissing } from './directory-roles.js';
import type { IdClaims } from './id-tokens.js';
import { CLOCK_TOLERANCE, type ProviderIdentity, invalidIdToken, providerUnavailable } from './identity-provider.js';
import { askProvider } from './provider-http.js';

const MAX_NAME_PART = 80;
const GMAIL = /@(?:gmail|googlemail)\.com$/;
const APPLE_MAIL = /@(?:icloud\.com|me\.com|mac\.com|privaterelay\.appleid\.com)$/;

export interface ClaimRules {
  readonly emailClaim: string;
  /** True if the operator vouches for the addresses of this provider, which then need no `email_verified`. */
  readonly isEmailTrusted: boolean;
  /** `null`: roles are given here. */
  readonly roles: DirectoryRoles | null;
  /** Domains of the operator at a provider for all. */
  readonly domains?: readonly string[];
}

/** Rules for providers at which any person can have an account. */
export const PUBLIC_RULES: ClaimRules = { emailClaim: 'email', isEmailTrusted: false, roles: null };

export function identityOf(
  provider: ProviderName,
  claims: IdClaims,
  proof: string,
  rules: ClaimRules = PUBLIC_RULES,
): ProviderIdentity {
  const email = emailAddress(textOf(claims[rules.emailClaim]));
  return {
    provider,
    subject: claims.sub,
    email,
    isEmailVerified: isVerified(claims, rules),
    isEmailAuthoritative: rules.isEmailTrusted || runsMailbox(provider, email, claims),
    isOfOperator: isOfOperator(provider, email, claims, rules),
    name: personName(claims.name),
    directory: rules.roles && directoryRole(claims, rules.roles),
    sessionId: textOf(claims.sid) || null,
    authTime: authTimeOf(claims),
    issuedAt: claims.iat * 1_000,
    proof,
    expiresAt: claims.exp * 1_000,
  };
}

/** Time of the sign-in, milliseconds since 1970, UTC. A time after that of the token is none: some count in milliseconds. */
export function authTimeOf({ auth_time: seconds, iat }: { auth_time?: unknown; iat: number }): number | null {
  if (typeof seconds !== 'number' || !(seconds > 0) || seconds > iat + CLOCK_TOLERANCE) return null;
  return Math.min(seconds, iat) * 1_000;
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim : '';
}

/** Apple sends flags as texts, too. If the operator vouches for the addresses, the flag may be missing. */
function isVerified({ email_verified: flag }: IdClaims, { emailClaim, isEmailTrusted }: ClaimRules): boolean {
  if (isEmailTrusted && (flag === undefined || emailClaim !== 'email')) return true;
  return flag === true || flag === 'true';
}

/** True if the provider runs the mailbox. Others are verified once, and may change hands. Google runs the domain in `hd`. */
function runsMailbox(provider: ProviderName, email: EmailAddress | null, { hd }: IdClaims): boolean {
  const key = email?.key ?? '';
  if (provider === 'apple') return APPLE_MAIL.test(key);
  return provider === 'google' && (GMAIL.test(key) || (typeof hd === 'string' && hd.trim() !== ''));
}

/** The provider of OpenID Connect is the operator's own. Google names the domain of a company in `hd`. */
function isOfOperator(
  provider: ProviderName,
  email: EmailAddress | null,
  { hd }: IdClaims,
  { domains = [] }: ClaimRules,
): boolean {
  if (provider === 'oidc') return true;
  const domain = email?.key.split('@').at(-1) ?? '';
  return domains.includes(domain) && typeof hd === 'string' && hd.toLowerCase() === domain;
}

/** The name in the `user` that Apple sends by the browser: `{"name":{"firstName":"Ann","lastName":"Lee"}}` -> `Ann Lee` */
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

/** The claims that a sign-in with the operator's provider needs. */
export function neededClaims({ emailClaim, roles }: DirectorySettings): readonly string[] {
  return roles === null ? [emailClaim] : [emailClaim, roles.claim];
}

/**
 * The claims of an id_token with those of the userinfo endpoint, which is asked if one of the needed claims is missing.
 *
 * @throws {DomainError} `invalid_id_token`, `provider_unavailable`
 * @see OpenID Connect Core 1.0, section 5.3
 */
export async function withUserinfo(
  claims: IdClaims,
  needed: readonly string[],
  url: string | null,
  accessToken: string,
): Promise<IdClaims> {
  if (url === null || !needed.some((claim) => isClaimMissing(claims, claim))) return claims;
  const { status, body } = await askProvider(url, { headers: { authorization: `Bearer ${accessToken}` } });
  if (status !== 200) throw providerUnavailable(new Error(`${url} answered ${status}`));
  if (body.sub !== claims.sub) throw invalidIdToken(new Error('userinfo is about another user'));
  return { ...body, ...claims };
}
