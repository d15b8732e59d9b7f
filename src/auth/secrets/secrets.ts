import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;
/** What {@link newSecret} looks like. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits in base64url: for links, one-time codes in addresses, states and nonces. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Whether a text can be one of ours; what cannot is refused without asking the database. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/**
 * How secrets and tokens lie in the database: SHA-256, lower-case hexadecimal. They are too random to be found out
 * from that.
 */
export function hashOf(secret: string): string {
  return hash('sha256', secret);
}

/** In the same time, wherever the two differ. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Anchored, of one alternative: an unanchored one needs quadratic time for a long header without a space. */
const BEARER = /^Bearer ([\x21-\x7e]{1,16384})$/i;

/** The token in an `Authorization` header. @see RFC 6750 */
export function bearerOf(header: string): string | undefined {
  return BEARER.exec(header)?.[1];
}
