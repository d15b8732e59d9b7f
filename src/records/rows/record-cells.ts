import { channel } from 'node:diagnostics_channel';
import { isTime } from '../../common/text/time-text.js';

/** A column of a record's contents that holds JSON. */
export type JsonColumn = 'data' | 'terms';

/** A column of a record that holds a text. */
export type TextColumn = 'title' | 'body';

/** A column of a record that holds milliseconds since 1970. */
export type TimeColumn = 'created_at' | 'updated_at' | 'published_at';

export type CellColumn = JsonColumn | TextColumn | TimeColumn;

/** A cell of a record that does not hold what was written. */
export interface DamagedCell {
  /** `undefined`: the row was read without it. */
  readonly recordId: number | undefined;
  readonly column: CellColumn;
}

/** Channel of `node:diagnostics_channel` that names each damaged cell that is read, as a {@link DamagedCell}. */
export const DAMAGED_CELLS = 'cms:damaged-record-cell';

export const JSON_COLUMNS: readonly JsonColumn[] = ['data', 'terms'];
export const TEXT_COLUMNS: readonly TextColumn[] = ['title', 'body'];
export const TIME_COLUMNS: readonly TimeColumn[] = ['created_at', 'updated_at', 'published_at'];

const damagedCells = channel(DAMAGED_CELLS);

type Row = Readonly<Partial<Record<JsonColumn | TextColumn, string | null>>> &
  Readonly<Partial<Record<TimeColumn, number | string | null>>> & { readonly id?: number | string };

/** Stands for what a damaged cell held. */
const UNREADABLE: Readonly<Record<string, never>> = Object.freeze({});

/** The object that a cell keeps as JSON, empty where it keeps none; `null`: the cell is damaged. */
export function soundCell(
  column: JsonColumn,
  json: string | null | undefined,
): Readonly<Record<string, unknown>> | null {
  const value = parsed(json ?? '{}');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  // By its type an object, which may have any keys.
  return column === 'data' || Object.values(value).every(isListOfIds) ? (value as Record<string, unknown>) : null;
}

/** `undefined`: it is no JSON. SQLite keeps what it is given, so that a cell may hold bytes in the place of a text. */
function parsed(json: unknown): unknown {
  if (typeof json !== 'string') return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The first column of a row whose cell is damaged. */
export function damagedColumn(row: Row): CellColumn | undefined {
  return (
    TEXT_COLUMNS.find((column) => isBytes(row[column])) ??
    JSON_COLUMNS.find((column) => soundCell(column, row[column]) === null) ??
    TIME_COLUMNS.find((column) => isNoTime(row[column]))
  );
}

/** Whether a cell that may be empty holds something else than a time. */
export function isNoTime(cell: unknown): boolean {
  return cell !== null && cell !== undefined && !isTime(cell);
}

/** Whether a cell holds bytes in the place of a text, which SQLite lets other programs put there. */
export function isBytes(cell: unknown): cell is Uint8Array {
  return cell instanceof Uint8Array;
}

/**
 * The object that a column of a record keeps as JSON. A damaged cell says nothing: one bad record must not take the lists
 * of its type out of service, can be replaced and rolled back, and is named by `doctor --deep`.
 */
export function readCell(row: Row, column: JsonColumn): Readonly<Record<string, unknown>> {
  const value = soundCell(column, row[column]);
  if (value !== null) return value;
  report(row, column);
  return UNREADABLE;
}

/** The text of a cell; of a damaged one, which holds bytes, what they spell in UTF-8. */
export function readText(row: Row, column: TextColumn): string | null {
  const cell: unknown = row[column];
  if (!isBytes(cell)) return row[column] ?? null;
  report(row, column);
  return Buffer.from(cell).toString('utf8');
}

function report({ id }: Row, column: CellColumn): void {
  damagedCells.publish({ recordId: id === undefined ? undefined : Number(id), column } satisfies DamagedCell);
}

/** Whether {@link readCell} has given this for a damaged cell. */
export function isUnreadable(value: object): boolean {
  return value === UNREADABLE;
}

function isListOfIds(value: unknown): boolean {
  return Array.isArray(value) && value.every((id) => Number.isSafeInteger(id));
}
