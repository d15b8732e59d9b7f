import type { Cell, TermName } from '../import-entry.js';

const BAR = '|';
const SLASH = '\\';

/**
 * Of backslashes that stand before a bar or at the end, two are one of the value; one that is left before a bar makes
 * it a part of the value: `'red | green'` -> `'red'`, `'green'`; `'C:\dir\\|a\|b'` -> `'C:\dir\'`, `'a|b'`.
 */
export function partsOf({ cell }: Cell): string[] {
  const parts: string[] = [];
  let part = '';
  const pieces = cell.split(BAR);
  for (const [at, piece] of pieces.entries()) {
    const slashes = slashesAtEnd(piece);
    const isLast = at === pieces.length - 1;
    const escapes = slashes % 2 === 1 && !isLast;
    part += piece.slice(0, piece.length - Math.floor(slashes / 2) - (escapes ? 1 : 0));
    if (escapes) part += BAR;
    else {
      parts.push(part.trim());
      part = '';
    }
  }
  return parts;
}

/** One cell of all these parts, which {@link partsOf} takes apart again. */
export function joinedParts(parts: readonly string[]): string {
  const escaped = parts.map((part) => part.split(BAR).map((piece) => piece + SLASH.repeat(slashesAtEnd(piece))));
  return escaped.map((pieces) => pieces.join(SLASH + BAR)).join(BAR);
}

function slashesAtEnd(text: string): number {
  let from = text.length;
  while (from > 0 && text[from - 1] === SLASH) from -= 1;
  return text.length - from;
}

/** The terms that a cell names. */
export function termsIn(cell: Cell): TermName[] {
  return partsOf(cell)
    .filter((name) => name !== '')
    .map((name) => ({ name, slug: null }));
}
