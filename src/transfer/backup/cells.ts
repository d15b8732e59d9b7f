import type { SqlValue } from '../../database/statements/statement.js';

/** The kind of a column, whatever the databases call its type: a `string` is short, a `text` or `blob` may be large. */
export type Kind = 'integer' | 'double' | 'string' | 'text' | 'blob';

/** A value as a backup has it: the same from every database. */
export type Cell = string | number | null;

/** The cell of a value that a driver hands out, for each kind; `undefined`: no column of the kind should hold it. */
const CELLS: Readonly<Record<Kind, (value: unknown) => Cell | undefined>> = {
  integer: (value) => numberIn(value, Number.isSafeInteger),
  double: (value) => numberIn(value, Number.isFinite),
  string: textIn,
  text: textIn,
  blob: (value) => (Buffer.isBuffer(value) ? value.toString('base64') : undefined),
};

/**
 * Booleans become 0 or 1; `-0` becomes 0, since not every database keeps its sign.
 *
 * @returns `undefined`: the column holds what it should not, such as a text in the place of bytes
 */
export function cellOf(kind: Kind, value: unknown): Cell | undefined {
  return value === null ? null : CELLS[kind](value);
}

/** The value that a statement writes for a cell. */
export function storable(kind: Kind, cell: Cell): SqlValue {
  return kind === 'blob' && typeof cell === 'string' ? Buffer.from(cell, 'base64') : cell;
}

/** Drivers hand out some numbers as texts; nothing else of what they hand out is one. */
function numberIn(value: unknown, isRight: (number: unknown) => boolean): number | undefined {
  const isText = typeof value === 'string' && value.trim() !== '';
  if (!isText && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const number = Number(value);
  if (!isRight(number)) return undefined;
  return number === 0 ? 0 : number;
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export const KINDS_OF_CELLS: ReadonlySet<unknown> = new Set(Object.keys(CELLS));
