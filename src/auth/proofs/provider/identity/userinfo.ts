import type { DirectorySettings } from '../../../../config/directory-settings.js';
import { isClaimMissing } from './directory-roles.js';
import { askProvider } from './provider-http.js';
import { invalidIdToken, providerUnavailable } from './provider.errors.js';
import type { IdClaims } from './id-tokens.js';

/** The claims that a sign-in with the operator's provider needs. */
export function neededClaims({ emailClaim, roles }: DirectorySettings): readonly string[] {
  return roles === null ? [emailClaim] : [emailClaim, roles.claim];
}

/**
 * The claims of an id_token with those that some providers have at their userinfo endpoint only. What is signed counts
 * where both have it.
 *
 * @param needed names or paths of claims: the endpoint is asked where one of them is missing
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
