import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text. @param key 32 bytes @param context the one place in which it opens; left out: the key says it
 * @returns nonce, tag and ciphertext
 * @see NIST SP 800-38D
 */
export function seal(key: Buffer, text: string, context = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The text of {@link seal} by whichever of the keys it was made with; `null`: none of them, or it was changed. */
export function unsealWithAny(keys: readonly Buffer[], sealed: Buffer, context = ''): string | null {
  for (const key of keys) {
    const text = unseal(key, sealed, context);
    if (text !== null) return text;
  }
  return null;
}

/** The text of {@link seal}; `null`: another key or context, or it was changed. */
function unseal(key: Buffer, sealed: Buffer, context = ''): string | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
      'utf8',
    );
  } catch {
    return null;
  }
}
