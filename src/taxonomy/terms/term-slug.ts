import { createHash } from 'node:crypto';
import { fold } from '../../common/text/fold.js';
import { numbered, slugify } from '../../common/text/slug.js';
import type { Condition } from '../../database/dialect/dialect.js';
import { placeholders } from '../../database/statements/statement.js';

/** Texts by taxonomy. */
export type Slugs = ReadonlyMap<string, ReadonlySet<string>>;

/** Texts by their taxonomies. */
export function slugsOf(texts: Iterable<readonly [taxonomy: string, text: string]>): Slugs {
  const slugs = new Map<string, Set<string>>();
  for (const [taxonomy, text] of texts) slugs.set(taxonomy, (slugs.get(taxonomy) ?? new Set()).add(text));
  return slugs;
}

/** Key of a slug within its taxonomy; names of taxonomies have no space in them. */
export function slugKey(taxonomy: string, slug: string): string {
  return `${taxonomy} ${slug}`;
}

/** A condition on a table with a taxonomy and a slug that holds for any of these; at least one. */
export function hasAnySlug(table: string, slugs: Slugs, column = 'slug'): Condition {
  const parts = [...slugs.values()].map(
    (texts) => `${table}.taxonomy = ? AND ${table}.${column} IN (${placeholders([...texts])})`,
  );
  return { sql: parts.join(' OR '), values: [...slugs].flatMap(([taxonomy, texts]) => [taxonomy, ...texts]) };
}

/** Numbers that are tried in order behind a slug that is taken. */
const MAX_NUMBER = 9;
const SIGN = /[^\p{L}\p{M}\p{N}\s]/u;

/**
 * The slug that a name stands for. It is always the same one, since a tag is known by its name:
 * `'Čas & Práce'` -> `'cas-and-prace'`, `'C++'` -> `'c-plus-plus'`, `'日本 語'` -> `'日本-語'`.
 */
export function termSlug(name: string): string {
  const spelled = name
    .normalize('NFKC')
    .replace(/\+/g, ' plus ')
    .replace(/(?<=\p{L})#/gu, ' sharp ');
  const slug = slugify(spelled);
  return slug === '' ? `term-${hashOf(name)}` : slug;
}

/**
 * The slugs that a new term tries one after the other: its own or {@link termSlug}, then with a number. A word that has
 * lost its signs begins with a number, since the slug itself is another name: `'#1'` is not `'1'`.
 */
export function triedSlug({ name, slug = null }: { name: string; slug?: string | null }, tried: number): string {
  const first = slug ?? termSlug(name);
  const isOtherName = slug === null && SIGN.test(name) && !first.includes('-');
  const number = isOtherName ? tried + 1 : tried;
  if (number === 1) return first;
  return numbered(first, number <= MAX_NUMBER ? number : hashOf(`${number} ${name}`));
}

/** True if two names are one: they may differ in case, accents and blanks. */
export function isSameName(one: string, other: string): boolean {
  return plain(one) === plain(other) && termSlug(one) === termSlug(other);
}

/** True if the term to which a slug leads is of this name, or one that such a term was merged into. */
export function isOfName(term: { readonly slug: string; readonly name: string }, slug: string, name: string): boolean {
  return term.slug !== slug || isSameName(term.name, name);
}

function plain(name: string): string {
  return fold(name).replace(/\s+/g, ' ').trim();
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 8);
}
