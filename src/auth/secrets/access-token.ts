/** Life of an access token in seconds, fixed by the specification. */
export const ACCESS_TOKEN_SECONDS = 900;

/** Media type of access tokens, so that no other token of ours passes for one. @see RFC 9068 */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

export const ACCESS_TOKEN_ALGORITHM = 'ES256';

/** What is left of an access token once it is checked. */
export interface AccessClaims {
  /** The key that signed it. */
  readonly kid: string;
  readonly userId: number;
  readonly sessionId: string;
  /** When the user proved who they are, milliseconds since 1970, UTC. */
  readonly authTime: number;
  /** Milliseconds since 1970, UTC. */
  readonly expiresAt: number;
}
