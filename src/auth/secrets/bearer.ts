/** Anchored, of one alternative: an unanchored one needs quadratic time for a long header without a space. */
const BEARER = /^Bearer ([\x21-\x7e]{1,16384})$/i;

/** The token in an `Authorization` header. @see RFC 6750 */
export function bearerOf(header: string): string | undefined {
  return BEARER.exec(header)?.[1];
}
