import type { Cell, TermName } from '../import-entry.js';

/** A bar with a backslash before it belongs to the value. */
const SEPARATOR = /(?<!\\)\|/;

/** `'red | green'` -> `'red'`, `'green'` */
export function partsOf({ cell }: Cell): string[] {
  return cell.split(SEPARATOR).map((part) => part.trim().replaceAll('\\|', '|'));
}

/** The terms that a cell names. */
export function termsIn(cell: Cell): TermName[] {
  return partsOf(cell)
    .filter((name) => name !== '')
    .map((name) => ({ name, slug: null }));
}
