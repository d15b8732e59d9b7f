import { createHash } from 'node:crypto';
import { head } from '../../common/text/fold.js';
import { MAX_SLUG_LENGTH, slugify } from '../../common/text/slug.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { placeholders } from '../../database/statements/statement.js';

/** Texts by taxonomy. */
export type Slugs = ReadonlyMap<string, ReadonlySet<string>>;

/** Key of a slug within its taxonomy; names of taxonomies have no space in them. */
export function slugKey(taxonomy: string, slug: string): string {
  return `${taxonomy} ${slug}`;
}

/** A condition on a table with a taxonomy and a slug that holds for any of these; at least one. */
export function hasAnySlug(table: string, slugs: Slugs): Condition {
  const parts = [...slugs.values()].map(
    (texts) => `${table}.taxonomy = ? AND ${table}.slug IN (${placeholders([...texts])})`,
  );
  return { sql: parts.join(' OR '), values: [...slugs].flatMap(([taxonomy, texts]) => [taxonomy, ...texts]) };
}

const FOREIGN = /[^\P{L}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu;

/**
 * The slug that a name stands for. It is always the same one, since a tag is known by its name:
 * `'Čas & Práce'` -> `'cas-and-prace'`, `'C++'` -> `'c-plus-plus'`, `'日本 語'` -> `'日本-語'`.
 */
export function termSlug(name: string): string {
  const spelled = name
    .normalize('NFKC')
    .replace(/\+/g, ' plus ')
    .replace(/(?<=\p{L})#/gu, ' sharp ');
  const slug = isWritable(spelled) ? slugify(spelled) : inOwnLetters(spelled);
  return slug === '' ? `term-${createHash('sha1').update(name).digest('hex').slice(0, 8)}` : slug;
}

/** Whether no letter would be lost in Latin ones: "日本 travel" is not "travel". */
function isWritable(text: string): boolean {
  return [...new Set(text.match(FOREIGN))].every((letter) => slugify(letter) !== '');
}

function inOwnLetters(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u);
  const slug = words.filter((word) => word !== '').join('-');
  return head(slug.replace(/^\p{M}+/u, ''), MAX_SLUG_LENGTH).replace(/-+$/, '');
}
