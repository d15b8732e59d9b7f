import { isExact } from '../../../common/text/exact-numbers.js';
import { isDate, isInstant } from '../../../common/schema/formats.js';

/** The way in which the side index holds values and filters compare them. */
export interface Comparison {
  /** The kind of the filters and of their description: operators on texts are others than those on numbers. */
  readonly kind: 'text' | 'number' | 'time' | 'boolean';
  /** Column of the side index. */
  readonly column: 'num' | 'str';
  /** The entry in that column for a value, or an item of one; `null`: another program has put something else there. */
  readonly key: (item: unknown) => number | string | null;
  /** The value that a filter names, in the form that is compared; `null`: it is none. */
  readonly parse: (text: string) => number | string | null;
}

/** Characters of a text that the side index holds. */
export const MAX_INDEXED_LENGTH = 191;

/** As JSON writes numbers, of no more digits than one can have. */
const NUMBER = /^-?\d{1,400}(?:\.\d{1,400})?(?:e[+-]?\d{1,3})?$/i;
const FLAGS: ReadonlyMap<string, number> = new Map([
  ['true', 1],
  ['false', 0],
  ['1', 1],
  ['0', 0],
]);

export const TEXTS: Comparison = {
  kind: 'text',
  column: 'str',
  key: (item) => keyOf(item, indexText),
  parse: (text) => (text.includes('\u0000') ? null : text.toWellFormed()),
};

/** Numbers; the number of a reference is the id of the record. */
export const NUMBERS: Comparison = {
  kind: 'number',
  column: 'num',
  key: (item) => keyOf(item, Date.parse),
  parse: (text) => (NUMBER.test(text) && isExact(text) ? Number(text) : null),
};

/** Milliseconds since 1970, UTC. */
export const TIMES: Comparison = {
  ...NUMBERS,
  kind: 'time',
  parse: (text) => (isDate(text) || isInstant(text) ? Date.parse(text.toUpperCase()) : null),
};

/** 1 and 0. */
export const BOOLEANS: Comparison = { ...NUMBERS, kind: 'boolean', parse: (text) => FLAGS.get(text) ?? null };

function keyOf(item: unknown, keyOfText: (text: string) => number | string): number | string | null {
  const key = typeof item === 'string' ? keyOfText(item) : numberOf(item);
  return Number.isNaN(key) ? null : key;
}

function numberOf(item: unknown): number | null {
  if (typeof item === 'number') return item + 0; // -0 is 0
  if (typeof item === 'boolean') return item ? 1 : 0;
  const { id = null } = (item ?? {}) as { id?: unknown };
  return typeof id === 'number' ? id : null;
}

/** The head of a text, as long as an index can hold; databases disagree on spaces at the end. */
export function indexText(text: string): string {
  return Array.from(text.slice(0, 2 * MAX_INDEXED_LENGTH))
    .slice(0, MAX_INDEXED_LENGTH)
    .join('')
    .replace(/ +$/, '');
}
