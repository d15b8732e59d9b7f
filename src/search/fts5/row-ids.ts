import { STATUSES, type Status } from '../../content-types/definition/content-type.js';
import type { SqlValue } from '../../database/statements/statement.js';
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
export const PARTITION = `rowid >> ${ID_BITS}`;

/** The type and status of a {@link PARTITION}; `null`: no status has it. */
export function partitionOf(number: number): { readonly typeId: number; readonly status: Status } | null {
  const bits = BigInt(number);
  const status = STATUSES.find((one) => STATUS_NUMBER[one] === bits >> TYPE_BITS);
  return status === undefined ? null : { typeId: Number(bits & ((1n << TYPE_BITS) - 1n)), status };
}

/** Row ids of records of a type with ids in a range, whatever their status is. */
export function rowRangesOf(typeId: number, { after, upTo }: IdRange): RowRange[] {
  return STATUSES.map((status) => ({ from: rowId(typeId, status, after + 1), to: rowId(typeId, status, upTo) }));
}

/** The condition on rows that only those of some types and statuses keep; its values are {@link visibleValues}. */
export const VISIBLE = `rowid BETWEEN ? AND ? AND (${PARTITION}) IN (SELECT value FROM json_each(?))`;

export function visibleValues(within: readonly SearchedType[]): readonly SqlValue[] {
  const partitions = within.flatMap(({ typeId, statuses }) => statuses.map((status) => partition(typeId, status)));
  const [first = 0n, ...others] = partitions.toSorted((a, b) => (a < b ? -1 : 1));
  const last = others.at(-1) ?? first;
  return [first, last | ID_MASK, JSON.stringify(partitions.map((from) => Number(from >> ID_BITS)))];
}
