import { STATUSES, type Status } from '../../content-types/definition/content-type.js';
import type { IdRange, SearchedType } from '../search-index.js';

/** Row ids of the index, both ends included. */
export interface RowRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * A row id of the index says status, type and record, from the highest bit to the lowest: 3, 20 and 40 bits. What may
 * be seen is then a range of row ids, which FTS5 can seek, and ids of one type and status are in the order of age.
 */
const ID_BITS = 40n;
const TYPE_BITS = 20n;
export const ID_MASK = (1n << ID_BITS) - 1n;
const LAST_ROW = (1n << 63n) - 1n;

/** Never changes for a status: rows that are there have it. */
const STATUS_NUMBER: Readonly<Record<Status, bigint>> = { published: 0n, draft: 1n, archived: 2n };

function partition(typeId: number, status: Status): bigint {
  if (BigInt(typeId) >> TYPE_BITS !== 0n) throw new Error(`The index has no room for a type ${typeId}.`);
  return (STATUS_NUMBER[status] << (TYPE_BITS + ID_BITS)) | (BigInt(typeId) << ID_BITS);
}

/** @throws {Error} there is no room for the id: it would be taken for one of another record */
export function rowId(typeId: number, status: Status, id: number): bigint {
  if (BigInt(id) >> ID_BITS !== 0n) throw new Error(`The index has no room for a record ${id}.`);
  return partition(typeId, status) | BigInt(id);
}

/** {@link rowId} as SQLite computes it of a record, whose columns have these names. */
export function rowIdOf(typeId: string, status: string, id: string): string {
  const numbers = STATUSES.map((one) => `WHEN '${one}' THEN ${STATUS_NUMBER[one]}`).join(' ');
  return `((CASE ${status} ${numbers} END << ${TYPE_BITS + ID_BITS}) | (${typeId} << ${ID_BITS}) | ${id})`;
}

/** The record that a row id is of. */
export function recordOf(row: bigint): { readonly id: number; readonly typeId: number } {
  return { id: Number(row & ID_MASK), typeId: Number((row >> ID_BITS) & ((1n << TYPE_BITS) - 1n)) };
}

/** {@link rowId} without its record, as SQLite computes it: a number that JavaScript holds exactly. */
export const PLACE = `rowid >> ${ID_BITS}`;

/** What a {@link PLACE} says; `null`: no status has it. */
export function placeOf(place: number): { readonly typeId: number; readonly status: Status } | null {
  const number = BigInt(place);
  const status = STATUSES.find((one) => STATUS_NUMBER[one] === number >> TYPE_BITS);
  return status === undefined ? null : { typeId: Number(number & ((1n << TYPE_BITS) - 1n)), status };
}

/** All row ids that a record may have, whatever its status is. */
export function rowIdsOf(typeId: number, id: number): bigint[] {
  return STATUSES.map((status) => rowId(typeId, status, id));
}

/** Where records of a type with ids in a range are, whatever their status is. */
export function rowRangesOf(typeId: number, { after, upTo }: IdRange): RowRange[] {
  return STATUSES.map((status) => ({ from: rowId(typeId, status, after + 1), to: rowId(typeId, status, upTo) }));
}

/** One range for each type and status, in the order of the index. */
export function visibleRanges(within: readonly SearchedType[]): RowRange[] {
  return within
    .flatMap(({ typeId, statuses }) => statuses.map((status) => partition(typeId, status)))
    .map((from) => ({ from, to: from | ID_MASK }))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));
}

/** What lies before, between and behind ranges. */
export function gapsOf(ranges: readonly RowRange[]): RowRange[] {
  const starts = [0n, ...ranges.map(({ to }) => to + 1n)];
  const ends = [...ranges.map(({ from }) => from - 1n), LAST_ROW];
  return starts.map((from, index) => ({ from, to: ends[index] ?? LAST_ROW }));
}

/**
 * Ranges joined where nothing lies between them, and open where nothing lies outside: the fewer there are and the
 * fewer ends they have, the faster they are searched.
 *
 * @param isEmpty of each gap, in the order of {@link gapsOf}
 */
export function joinedRanges(ranges: readonly RowRange[], isEmpty: readonly boolean[]): RowRange[] {
  const joined: RowRange[] = [];
  ranges.forEach(({ from, to }, index) => {
    const last = joined.at(-1);
    if (last && isEmpty[index]) joined[joined.length - 1] = { from: last.from, to };
    else joined.push({ from: index === 0 && isEmpty[0] ? 0n : from, to });
  });
  const last = joined.pop();
  if (last) joined.push(isEmpty.at(-1) ? { from: last.from, to: LAST_ROW } : last);
  return joined;
}

/** A range as far as its records have an id from one up; `null`: it has none such. */
export function sinceId({ from, to }: RowRange, id: number): RowRange | null {
  const first = (from & ~ID_MASK) | BigInt(id);
  return first > to ? null : { from: first > from ? first : from, to };
}

/** The condition of a range, with what it needs and no more. */
export function rangeCondition({ from, to }: RowRange): { text: string; values: bigint[] } {
  const parts = [
    ...(from > 0n ? [{ text: ' AND rowid >= ?', value: from }] : []),
    ...(to < LAST_ROW ? [{ text: ' AND rowid <= ?', value: to }] : []),
  ];
  return { text: parts.map(({ text }) => text).join(''), values: parts.map(({ value }) => value) };
}
