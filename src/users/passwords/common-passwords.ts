import { createHash } from 'node:crypto';
import { FILTER, HASHES } from './common-passwords.data.js';
import { hashedForm } from './password-form.js';

/** `1234`, `11`, a year; what many append where a password has to be longer. */
const ENDING = /^(?:(?:19|20)\d\d|0?1(?:2(?:3(?:4(?:5(?:6(?:7(?:8(?:90?)?)?)?)?)?)?)?)?|(\d)\1*)?[!.?@#$*]{0,3}$/;
const MAX_ENDING = 13;
const MIN_WORD = 3;

/** Decoded with the first password: most processes never see one. */
let filter: Buffer | undefined;

/**
 * Whether a password is one of the most frequent ones, or one of them in the usual ways made longer: repeated, or with
 * digits, a year or `!` behind it. One in 100,000 others is taken for one of them.
 *
 * `Summer2026!!`, `password1234567`, `letmeinletmein`
 */
export function isCommonPassword(password: string): boolean {
  const folded = foldedPassword(password);
  return new Set(folded).size === 1 || wordsOf(folded).some(isFrequent);
}

/** A password as those compare that are alike to who guesses. */
export function foldedPassword(password: string): string {
  return hashedForm(password).toLowerCase();
}

/** The words that a password may have been made of: itself, without a usual ending, and what it repeats. */
export function wordsOf(folded: string): string[] {
  const words = [folded];
  for (let end = folded.length - 1; end >= Math.max(MIN_WORD, folded.length - MAX_ENDING); end -= 1) {
    if (ENDING.test(folded.slice(end))) words.push(folded.slice(0, end));
  }
  return words.flatMap((word) => [word, ...repeated(word)]);
}

function repeated(word: string): string[] {
  const lengths = [2, 3, 4].map((times) => word.length / times);
  return lengths
    .filter((length) => Number.isInteger(length) && length >= MIN_WORD)
    .map((length) => word.slice(0, length))
    .filter((part) => part.repeat(word.length / part.length) === word);
}

function isFrequent(word: string): boolean {
  filter ??= Buffer.from(FILTER, 'base64');
  const digest = createHash('sha256').update(word).digest();
  const [start, step] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
  for (let n = 0; n < HASHES; n += 1) {
    const bit = (start + n * step) % (filter.length * 8);
    if (((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}
