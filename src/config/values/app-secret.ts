import type { SettingReader } from './setting-reader.js';

const MIN_BYTES = 32;
/** Stands in for `APP_SECRET` where nothing is worth protecting; production refuses to start with it. */
export const PLAY_SECRET = 'not-a-secret-only-for-demo-and-tests';
const MAKE_ONE = 'Make one: APP_SECRET=$(openssl rand -hex 32).';

/** Reads `APP_SECRET`. A fault never repeats it. */
export function appSecret(reader: SettingReader, isProduction: boolean): string {
  const text = reader.text('APP_SECRET');
  if (text === undefined) {
    if (isProduction) reader.fault(`APP_SECRET is not set. ${MAKE_ONE}`);
    return PLAY_SECRET;
  }
  if (!hasLength('APP_SECRET', text, reader) || !isProduction) return text;
  const weakness = guessableSecret(text);
  if (text === PLAY_SECRET) reader.fault(`APP_SECRET is that of the demo, which is public. ${MAKE_ONE}`);
  else if (weakness !== null) reader.fault(`APP_SECRET ${weakness}, so it can be guessed. ${MAKE_ONE}`);
  return text;
}

/** The secret before `APP_SECRET`; the one of the demo is allowed, so that its database can be taken over. */
export function formerSecret(reader: SettingReader): string | null {
  const text = reader.text('APP_SECRET_OLD');
  if (text === undefined) return null;
  if (text === reader.text('APP_SECRET')) {
    reader.fault('APP_SECRET_OLD is the same as APP_SECRET. Set it to the former secret, or not at all.');
  } else hasLength('APP_SECRET_OLD', text, reader);
  return text;
}

function hasLength(name: string, text: string, reader: SettingReader): boolean {
  const bytes = Buffer.byteLength(text);
  if (bytes >= MIN_BYTES) return true;
  reader.fault(`${name} has ${bytes} bytes and needs ${MIN_BYTES} or more. ${MAKE_ONE}`);
  return false;
}

/**
 * Random hexadecimal digits always pass: 32 of them have fewer than 8 different ones once in 25 million cases, three
 * quarters of steps once in 10^12, and a repetition once in 10^19.
 */
const MIN_DIFFERENT = 8;
/** The share of all pairs of neighbours, in hundredths. */
const MANY_STEPS = 75;
/** Words that stand in examples for a secret. */
const PLACEHOLDERS =
  /change[-_ ]?(?:me|it|this)|replace[-_ ]?(?:me|this)|placeholder|password|passwd|example|secret/giu;
/** Bytes beside placeholders: 64 bits, should they be random hexadecimal digits. */
const MIN_OWN_BYTES = 16;

/** Finds a reason why a long secret can be guessed. @returns the predicate of a sentence without the secret; `null`: none */
export function guessableSecret(text: string): string | null {
  const different = new Set(Buffer.from(text)).size;
  if (different < MIN_DIFFERENT) return `has only ${different} different bytes`;
  const own = text.replace(PLACEHOLDERS, '').replace(/[^\p{L}\p{N}]/gu, '');
  if (Buffer.byteLength(own) < MIN_OWN_BYTES)
    return 'is made of placeholders such as "change-me", "secret" or "password"';
  const letters = Array.from(text.toLowerCase());
  if (isRepetition(letters)) return 'repeats a shorter text';
  return isSequence(letters) ? 'is a sequence of neighbouring characters' : null;
}

/** True if some beginning, of half of the text at most, comes again and again, the last time perhaps in part. */
function isRepetition(letters: readonly string[]): boolean {
  const lengths = Array.from({ length: Math.floor(letters.length / 2) }, (_, index) => index + 1);
  return lengths.some((length) => letters.every((letter, at) => letter === letters[at % length]));
}

/** `abcdefgh…`, `98765432…` */
function isSequence(letters: readonly string[]): boolean {
  const codes = letters.map((letter) => letter.codePointAt(0) ?? 0);
  const steps = codes.slice(1).filter((code, before) => Math.abs(code - (codes[before] ?? 0)) <= 1).length;
  return steps * 100 >= (codes.length - 1) * MANY_STEPS;
}
