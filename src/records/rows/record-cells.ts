import { jsonObject } from '../../common/schema/json-object.js';
import { channel } from 'node:diagnostics_channel';
import { DomainError } from '../../common/errors/domain-error.js';
import { isTime } from '../../common/text/time-text.js';

/** A column of a record's contents that holds JSON. */
type JsonColumn = 'data' | 'terms';

/** A column of a record whose stored value can turn out to be unreadable. */
export type CellColumn = JsonColumn | 'title' | 'body' | 'created_at' | 'updated_at' | 'published_at';

/** A cell of a record that does not hold what was written. */
export interface DamagedCell {
  readonly recordId: number;
  readonly column: CellColumn;
}

/** Channel of `node:diagnostics_channel` that names each damaged cell that keeps a record out of an answer, as a {@link DamagedCell}. */
export const DAMAGED_CELLS = 'cms:damaged-record-cell';

const JSON_COLUMNS: readonly JsonColumn[] = ['data', 'terms'];
export const TEXT_COLUMNS = ['title', 'body'] as const satisfies readonly CellColumn[];
export const TIME_COLUMNS = ['created_at', 'updated_at', 'published_at'] as const satisfies readonly CellColumn[];

const damagedCells = channel(DAMAGED_CELLS);

type JsonCell = Readonly<Record<string, unknown>>;

/** Columns of a record, as far as they were read. */
type Cells = Readonly<Partial<Record<CellColumn, unknown>>>;
type Row = Cells & { readonly id?: number | string };

/** The parsed JSON of a text, for as long as the row is there. */
const parsedCells = new WeakMap<Row, Partial<Record<JsonColumn, JsonCell | null>>>();

const NOTHING: JsonCell = Object.freeze({});

/** The object that a cell keeps as JSON, empty when it keeps none; `null`: the cell is damaged. */
export function soundCell(column: JsonColumn, json: unknown): JsonCell | null {
  const value = jsonObject(json ?? '{}');
  return value === null || column === 'data' || Object.values(value).every(isListOfIds) ? value : null;
}

/** The first column of a row whose cell is damaged. */
export function damagedColumn(row: Row): CellColumn | undefined {
  for (const column of TEXT_COLUMNS) if (row[column] instanceof Uint8Array) return column;
  for (const column of JSON_COLUMNS) if (cellOf(row, column) === null) return column;
  for (const column of TIME_COLUMNS) if (row[column] != null && !isTime(row[column])) return column;
  return undefined;
}

/** The object that a column of a record keeps as JSON. @throws {DomainError} `record_damaged` */
export function readCell(row: Row, column: JsonColumn): JsonCell {
  const value = cellOf(row, column);
  if (value === null) throw damaged(row, column);
  return value;
}

function cellOf(row: Row, column: JsonColumn): JsonCell | null {
  if ((row[column] ?? null) === null) return NOTHING;
  const known = parsedCells.get(row) ?? {};
  if (known[column] === undefined)
    parsedCells.set(row, Object.assign(known, { [column]: soundCell(column, row[column]) }));
  return known[column] ?? null;
}

/** @throws {DomainError} `record_damaged`: a stored value of the record cannot be read */
export function requireSound(row: Row): void {
  const column = damagedColumn(row);
  if (column !== undefined) throw damaged(row, column);
}

/** True if a record can be shown among others: a damaged one is left out, and logged. */
export function isSound(row: Row): boolean {
  const column = damagedColumn(row);
  if (column === undefined) return true;
  damagedCells.publish({ recordId: Number(row.id), column } satisfies DamagedCell);
  return false;
}

function damaged({ id }: Row, column: CellColumn): DomainError {
  const message = `The stored ${column} of the record ${id} cannot be read. Its revisions may be whole. Restore a backup, or delete the record for good and create it again.`;
  return new DomainError('record_damaged', message, { details: [{ column }] });
}

function isListOfIds(value: unknown): boolean {
  return Array.isArray(value) && value.every((id) => Number.isSafeInteger(id));
}
