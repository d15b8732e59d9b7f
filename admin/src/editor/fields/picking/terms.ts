import type { ListedTerm } from '../../../model.js';
import { readLine } from '../kinds/reading.js';
import type { TermPicks } from './picking-queries.js';

/** Characters of a name. */
const MOST_NAME = 255;

/** The terms of a part of a record: ids, and names of those that are not made yet. */
export function termsOf(value: unknown): readonly (number | string)[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all.filter((one): one is number | string => typeof one === 'number' || typeof one === 'string');
}

/** Whether two names are one term: case, accents and blanks make no difference. */
export function isSameName(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

/** Whether a term of a name may be made: none of a flat taxonomy takes a right, since it comes with the record. */
export function mayCreate(name: string, pages: readonly TermPicks[], mayMake: boolean): boolean {
  const isTree = pages[0]?.meta.hierarchical;
  if (isTree === undefined || (isTree && !mayMake)) return false;
  return !pages.some(({ data }) => data.some((term) => isSameName(term.name, name)));
}

/** Why a name can be that of no term; `undefined`: it can. */
export function nameFault(name: string): string | undefined {
  return readLine(name, MOST_NAME).fault;
}

/** Where a term stands: `news/world/europe` -> `news / world` */
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
