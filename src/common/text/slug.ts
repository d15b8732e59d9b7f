import slugifyText from '@sindresorhus/slugify';
import { head } from './fold.js';

export const MAX_SLUG_LENGTH = 191;
/** Letters without upper case, digits, and `-`, `_`, `.` from the second character on, so that it is never `..`. */
export const SLUG_PATTERN = '^[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Nd}][\\p{Ll}\\p{Lo}\\p{Lm}\\p{M}\\p{Nd}_.-]*$';

/** Path of a record on the website. What stands in braces is filled in for each record. */
export const URL_PATH_PATTERN = '^/(?:[A-Za-z0-9_.~/-]|\\{(?:slug|id|type|locale)\\})*$';

/** Georgian capitals, which are known as small letters only. */
const MTAVRULI = /[\u1c90-\u1cbf]/gu;
const FOREIGN_LETTER = /(?!\p{ASCII})\p{L}/gu;
const NO_PART = /[^\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}]+/u;
const writable = new Map<string, boolean>();

/** Letters with their marks in one code point (NFC), so that slugs which look the same are the same. */
export function composed(slug: string): string {
  return slug.normalize('NFC');
}

/**
 * A readable part of a URL: `'Čas & Práce!'` -> `'cas-and-prace'`, `'日本 Travel'` -> `'日本-travel'`.
 * It passes {@link SLUG_PATTERN}, or is empty if the title has neither letter nor digit.
 */
export function slugify(title: string): string {
  const text = title.normalize('NFKC').replace(MTAVRULI, (letter) => letter.toLowerCase());
  const letters = [...new Set(text.match(FOREIGN_LETTER))];
  const slug = letters.every(isWritable) ? inLatinLetters(text) : inOwnLetters(text);
  return head(slug, MAX_SLUG_LENGTH).replace(/-+$/, '');
}

/** Taken apart at capitals, "GitHub" would be two words and "Ægir" as well. */
function inLatinLetters(text: string): string {
  return withoutEdges(slugifyText(text, { decamelize: false }));
}

/** True if the letter would not be lost in Latin ones: "日本 travel" is not "travel". */
function isWritable(letter: string): boolean {
  const known = writable.get(letter) ?? inLatinLetters(letter) !== '';
  writable.set(letter, known);
  return known;
}

function inOwnLetters(text: string): string {
  const words = composed(text.toLowerCase())
    .split(NO_PART)
    .map((word) => word.replace(/^\p{M}+/u, ''));
  return words.filter((word) => word !== '').join('-');
}

/** `('hello', 2)` -> `'hello-2'`, never longer than a slug may be. */
export function numbered(slug: string, n: number | string): string {
  const suffix = `-${n}`;
  return `${withoutEdges(head(slug, MAX_SLUG_LENGTH - suffix.length))}${suffix}`;
}

function withoutEdges(slug: string): string {
  return slug.replace(/^-+|-+$/g, '');
}
