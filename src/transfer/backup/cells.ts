import type { SqlValue } from '../../database/statement.js';

/** What a column holds, whatever the databases call its type: a `string` is short, a `text` or `blob` may be large. */
export type Kind = 'integer' | 'double' | 'string' | 'text' | 'blob';

/** A value as a backup has it: the same from every database. */
export type Cell = string | number | null;

/** What a driver hands out, for each kind. @throws {TypeError} what no column of the kind should hold */
const CELLS: Readonly<Record<Kind, (value: unknown) => Cell>> = {
  integer: (value) => checked(Number(value), Number.isSafeInteger),
  double: (value) => checked(Number(value), Number.isFinite),
  string: text,
  text,
  blob: (value) => {
    if (!Buffer.isBuffer(value)) throw new TypeError('no bytes');
    return value.toString('base64');
  },
};

const FITS: Readonly<Record<Kind, (cell: unknown) => boolean>> = {
  integer: Number.isSafeInteger,
  double: Number.isFinite,
  string: (cell) => typeof cell === 'string',
  text: (cell) => typeof cell === 'string',
  blob: (cell) => typeof cell === 'string',
};

/** Booleans become 0 or 1; `-0` becomes 0, since not every database keeps its sign. */
export function cellOf(kind: Kind, value: unknown): Cell {
  return value === null ? null : CELLS[kind](value);
}

/** Whether something read from a file can be a cell. */
export function isCell(kind: Kind, cell: unknown): cell is Cell {
  return cell === null || FITS[kind](cell);
}

/** What a statement writes for a cell. */
export function storable(kind: Kind, cell: Cell): SqlValue {
  return kind === 'blob' && typeof cell === 'string' ? Buffer.from(cell, 'base64') : cell;
}

function checked(number: number, isRight: (number: unknown) => boolean): number {
  if (!isRight(number)) throw new TypeError('no number that would survive');
  return number === 0 ? 0 : number;
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('no text');
  return value;
}

export const KINDS_OF_CELLS: ReadonlySet<unknown> = new Set(Object.keys(CELLS));
