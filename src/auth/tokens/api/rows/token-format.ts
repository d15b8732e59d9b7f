import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'cms_';
const SECRET_LENGTH = 38;
const CHECKSUM_LENGTH = 6;
const HINT_LENGTH = 8;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
/** Bytes from here on would make the first digits likelier than the last ones. */
const FIRST_BIASED_BYTE = 256 - (256 % DIGITS.length);

/**
 * A new API token: `cms_`, 38 random base62 characters (226 bits), and 6 that hold the CRC-32 of all before them.
 * The checksum lets junk be refused without a look-up, and lets scanners for leaked secrets be sure.
 */
export function newToken(): string {
  const body = PREFIX + randomDigits(SECRET_LENGTH);
  return body + checksumOf(body);
}

/** Whether a text can be a token that this service made. */
export function isTokenShaped(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH)));
}

/** The start of a token, by which its owner recognises it: `cms_4fGh`. */
export function hintOf(token: string): string {
  return token.slice(0, HINT_LENGTH);
}

function randomDigits(count: number): string {
  let digits = '';
  while (digits.length < count) {
    const usable = randomBytes(count).filter((byte) => byte < FIRST_BIASED_BYTE);
    for (const byte of usable) digits += DIGITS.charAt(byte % DIGITS.length);
  }
  return digits.slice(0, count);
}

/** CRC-32 as six base62 digits: 62^6 is more than 2^32. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
