import { createHash } from 'node:crypto';
import { sortKey } from '../../common/text/fold.js';
import { isReference, type Field } from '../kinds/field.js';
import { kindOf } from '../kinds/kinds.js';

/** One row of the side index: a value, or one item of it. */
export interface IndexRow {
  readonly pos: number;
  readonly num: number | null;
  readonly str: string | null;
  /** The key that lists are sorted by instead of the text. */
  readonly sortKey: string | null;
  readonly uniqueKey: string | null;
}

const ABSENT: IndexRow = { pos: 0, num: null, str: null, sortKey: null, uniqueKey: null };

/** Tells whether the side index holds the values of a field. */
export function needsIndex(field: Pick<Field, 'type' | 'indexed' | 'unique'>): boolean {
  return field.indexed || field.unique || isReference(field);
}

/** Tells whether records can be filtered and sorted by a field now. */
export function isFilterable(field: Field): boolean {
  return needsIndex(field) && field.building !== true;
}

/** Tells whether values of a field that differ in case are one value: to its unique index, and to filters. */
export function ignoresCase(field: Pick<Field, 'type' | 'unique' | 'exact'>): boolean {
  return field.unique && field.exact === false && kindOf(field.type).takes('exact', field);
}

/** Equal for texts that are equal without regard to case. `'Ann@Example.com'` -> `'ann@example.com'` */
export function withoutCase(text: string): string {
  return text.toLowerCase();
}

/** The rows of one value. An absent value has a row too, without which a sorted list would lack its record. */
export function indexRows(field: Field, value: unknown): IndexRow[] {
  if (!needsIndex(field)) return [];
  if (value === null) return [ABSENT];
  const { key: keyOfItem } = kindOf(field.type).comparison(field);
  const keys = [comparedValue(field, value)].flat().map((item) => keyOfItem(item));
  const found = new Set(keys.filter((key) => key !== null));
  const isEmpty = found.size === 0;
  return [...(isEmpty ? [null] : found)].map((key, pos) => ({
    pos,
    num: typeof key === 'number' ? key : null,
    str: typeof key === 'string' ? key : null,
    sortKey: typeof key === 'string' ? sortKey(key) : null,
    uniqueKey: field.unique && !isEmpty ? uniqueKey(field, value) : null,
  }));
}

/** A value as the index compares it. */
function comparedValue(field: Field, value: unknown): unknown {
  return typeof value === 'string' && ignoresCase(field) ? withoutCase(value) : value;
}

/** Equal for equal values of a field; kept values have one form only. */
export function uniqueKey(field: Field, value: unknown): string {
  return keyOf(comparedValue(field, value));
}

/** The keys of which another record must have none, where one is to get a value. */
export function uniqueKeys(field: Field, value: unknown): readonly string[] {
  const former = formerKey(field, value);
  return [uniqueKey(field, value), ...(former === null ? [] : [former])];
}

/**
 * The key that a value had before the field began to compare in another way, where rows may have such keys: while its
 * index is written anew, a value is taken under either key.
 */
export function formerKey(field: Field, value: unknown): string | null {
  if (field.isRekeyed !== true || typeof value !== 'string') return null;
  return keyOf(ignoresCase(field) ? value : withoutCase(value));
}

/** Two encodings of one text are one value. */
function keyOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value).normalize('NFC')).digest('hex');
}
