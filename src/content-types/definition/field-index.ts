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
export function ignoresCase(field: Pick<Field, 'type' | 'unique'>): boolean {
  return field.unique && kindOf(field.type).ignoresCase;
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
  // Two encodings of one text are one value.
  const text = JSON.stringify(comparedValue(field, value)).normalize('NFC');
  return createHash('sha256').update(text).digest('hex');
}
