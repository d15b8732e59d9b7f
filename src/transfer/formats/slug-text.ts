import { composed, MAX_SLUG_LENGTH, SLUG_PATTERN, slugify } from '../../common/text/slug.js';

/** Texts that a record accepts as its slug. */
const SLUG = new RegExp(SLUG_PATTERN, 'u');

/** The slug that an old address asks for, as it is where that can be; `null` where nothing of it can. */
export function slugFrom(text: string): string | null {
  const lower = composed(decoded(text).toLowerCase());
  if (lower.length <= MAX_SLUG_LENGTH && SLUG.test(lower)) return lower;
  const made = slugify(lower);
  return made === '' ? null : made;
}

/** `%ce%b1` -> `α` */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
