import { askProvider } from './provider-http.js';
import { invalidIdToken, providerUnavailable } from './provider.errors.js';
import type { IdClaims } from './id-tokens.js';

/**
 * The claims of an id_token with those that some providers tell at their userinfo endpoint only. What is signed counts
 * where both have it.
 *
 * @throws {DomainError} `invalid_id_token`, `provider_unavailable`
 * @see OpenID Connect Core 1.0, section 5.3
 */
export async function withUserinfo(claims: IdClaims, url: string | null, accessToken: string): Promise<IdClaims> {
  if (claims.email !== undefined || url === null) return claims;
  const { status, body } = await askProvider(url, { headers: { authorization: `Bearer ${accessToken}` } });
  if (status !== 200) throw providerUnavailable(new Error(`${url} answered ${status}`));
  if (body.sub !== claims.sub) throw invalidIdToken(new Error('userinfo is about somebody else'));
  return { ...body, ...claims };
}
