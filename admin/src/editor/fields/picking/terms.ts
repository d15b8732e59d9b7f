import type { ListedTerm } from '../../../model.js';
import { readLine } from '../kinds/reading.js';
import type { TermPicks } from './picking-queries.js';

/** Characters of a name. */
const MOST_NAME = 255;
/** Signs that say nothing, other than those of `C#` and `C++`. */
const PAUSES = /[\p{Pd}\p{Pc}\p{Ps}\p{Pe}.,:;'’!?/]+/gu;

/** The terms of a part of a record: ids, and names of those that are not made yet. */
export function termsOf(value: unknown): readonly (number | string)[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all.filter((one): one is number | string => typeof one === 'number' || typeof one === 'string');
}

/** Tells whether two names are one term: case, accents and blanks make no difference. */
export function isSameName(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

/** Tells whether two names are read alike: hyphens, dots and brackets make no difference either. */
export function isReadAlike(one: string, other: string): boolean {
  return isSameName(one.replace(PAUSES, ' '), other.replace(PAUSES, ' '));
}

/** Tells whether a term of a name may be made: none of a flat taxonomy takes a right, since it comes with the record. There a comma ends a name. */
export function mayCreate(name: string, pages: readonly TermPicks[], mayMake: boolean): boolean {
  const isTree = pages[0]?.meta.hierarchical;
  if (isTree === undefined || (isTree ? !mayMake : name.includes(','))) return false;
  return !pages.some(({ data }) => data.some((term) => isSameName(term.name, name)));
}

/**
 * The meaning of a text that was typed and not picked: the one term that it names, or a tag that comes with its record.
 *
 * @param isSettled whether the pages are those for the text
 * @returns `null`: nothing of both for sure
 */
export function termOfText(
  text: string,
  pages: readonly TermPicks[],
  { isSettled, isOfExisting }: { readonly isSettled: boolean; readonly isOfExisting: boolean },
): ListedTerm | string | null {
  const all = isSettled ? pages.flatMap(({ data }) => data) : [];
  const [first, second] = all.filter(({ name, slug }) => isSameName(name, text) || slug === text);
  if (first) return second ? null : first;
  return isFlat(pages) && !isOfExisting && nameFault(text) === undefined ? text : null;
}

/** Tells whether it is known that new terms come with their records. */
export function isFlat(pages: readonly TermPicks[]): boolean {
  return pages[0]?.meta.hierarchical === false;
}

/** The reason why no term can have a name; `undefined`: one can. */
export function nameFault(name: string): string | undefined {
  return readLine(name, MOST_NAME).fault;
}

/** The path above a term: `news/world/europe` -> `news / world` */
export function pathAbove({ path }: Pick<ListedTerm, 'path'>): string {
  return path.split('/').slice(0, -1).join(' / ');
}

function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}
