import slugifyText from '@sindresorhus/slugify';
import { head } from './fold.js';

export const MAX_SLUG_LENGTH = 191;
/** Letters without upper case, digits, and `-`, `_`, `.` from the second character on, so that it is never `..`. */
export const SLUG_PATTERN = '^[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Nd}][\\p{Ll}\\p{Lo}\\p{Lm}\\p{M}\\p{Nd}_.-]*$';

/** Letters with their marks in one code point (NFC), so that slugs which look the same are the same. */
export function composed(slug: string): string {
  return slug.normalize('NFC');
}

/**
 * A readable part of a URL made from a title: `'Čas & Práce!'` -> `'cas-and-prace'`.
 * Empty where nothing of the title can be written in Latin letters.
 */
export function slugify(title: string): string {
  // Taken apart at capitals, "GitHub" would be two words and "Ægir" as well.
  return withoutEdges(head(slugifyText(title, { decamelize: false }), MAX_SLUG_LENGTH));
}

/** `('hello', 2)` -> `'hello-2'`, never longer than a slug may be. */
export function numbered(slug: string, n: number | string): string {
  const suffix = `-${n}`;
  return `${withoutEdges(head(slug, MAX_SLUG_LENGTH - suffix.length))}${suffix}`;
}

function withoutEdges(slug: string): string {
  return slug.replace(/^-+|-+$/g, '');
}
