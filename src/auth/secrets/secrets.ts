import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Settings } from '../../config/settings.js';

const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits in base64url: for links, one-time codes in addresses, states and nonces. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** True if a text can be one of ours; another one is refused without asking the database. */
export function isSecret(text: string): boolean {
  return SECRET.test(text);
}

/** The form of secrets and tokens in the database: SHA-256, lower-case hexadecimal. */
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

export interface OwnCookie {
  readonly name: string;
  readonly path: string;
  /** `; Secure`, the last of its attributes, or nothing. */
  readonly secure: '; Secure' | '';
}

/**
 * A cookie that no sibling domain can plant (`__Host-`, which asks for `Path=/`). Below a base path the host is shared with
 * other services: there the path is that of the sign-in, and the prefix `__Secure-`. Over plain http it is neither.
 *
 * @see ADR 34
 */
export function ownCookie({ publicUrl, gateway }: Pick<Settings, 'publicUrl' | 'gateway'>, name: string): OwnCookie {
  const isSecure = publicUrl.startsWith('https:');
  const path = gateway.basePath === '' ? '/' : `${gateway.basePath}/api/auth`;
  const prefix = gateway.basePath === '' ? '__Host-' : '__Secure-';
  return isSecure ? { name: prefix + name, path, secure: '; Secure' } : { name, path, secure: '' };
}
