import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a verifier in base64url. @see RFC 7636, 4.2 */
export const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
export const CODE_CHALLENGE_RULE = 'code_challenge must be a SHA-256 in base64url, 43 characters.';

/** @see RFC 7636, 4.1 */
export const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
export const CODE_VERIFIER_RULE = 'code_verifier must have 43 to 128 letters, digits, -, ., _ or ~.';

/**
 * Whether a verifier is the one that a challenge was made of; `null`: there is none. A verifier without a challenge comes
 * from a client that takes itself for protected and is not.
 *
 * @see RFC 7636, 4.6
 */
export function isVerified(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === verifier;
  const made = createHash('sha256').update(verifier).digest();
  const asked = Buffer.from(challenge, 'base64url');
  return asked.length === made.length && timingSafeEqual(asked, made);
}
