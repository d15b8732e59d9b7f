/** Bits of an RSA modulus that are enough. @see RFC 7518, section 3.3 */
const MODULUS_BITS = 2_048;

/** The ids of keys that are left out; `null`: a key has none. */
export type WeakKeys = readonly (string | null)[];

/** Leaves out RSA keys with an exponent below 3, or an even one, or a modulus below 2048 bits. Other values stay as they are. */
export function soundKeys(set: unknown): { readonly set: unknown; readonly refused: WeakKeys } {
  const { keys } = (set ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys)) return { set, refused: [] };
  const weak = new Set((keys as unknown[]).filter(isWeak));
  if (weak.size === 0) return { set, refused: [] };
  return { set: { ...(set as object), keys: keys.filter((key) => !weak.has(key)) }, refused: [...weak].map(idOf) };
}

function isWeak(key: unknown): boolean {
  const { kty, e, n } = (key ?? {}) as { readonly kty?: unknown; readonly e?: unknown; readonly n?: unknown };
  if (kty !== 'RSA' || typeof e !== 'string' || typeof n !== 'string') return false;
  const exponent = numberOf(e);
  return exponent < 3n || exponent % 2n === 0n || numberOf(n).toString(2).length < MODULUS_BITS;
}

function idOf(key: unknown): string | null {
  const { kid } = key as { readonly kid?: unknown };
  return typeof kid === 'string' ? kid : null;
}

function numberOf(base64url: string): bigint {
  return BigInt(`0x0${Buffer.from(base64url, 'base64url').toString('hex')}`);
}
