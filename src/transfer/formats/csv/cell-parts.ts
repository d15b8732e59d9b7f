import type { Cell, TermName } from '../import-entry.js';

const BAR = '|';
const SLASH = '\\';

/**
 * Parts of a cell between bars. Two backslashes before a bar are one of the value, and one that is left makes the bar a part of it:
 * `'red | green'` -> `'red'`, `'green'`; `'C:\dir\\|a\|b'` -> `'C:\dir\'`, `'a|b'`.
 */
export function partsOf({ cell }: Cell): string[] {
  const parts: string[] = [];
  const pieces = cell.split(BAR);
  const last = pieces.pop() ?? '';
  let part = '';
  for (const piece of pieces) {
    const slashes = slashesAtEnd(piece);
    const escapes = slashes % 2 === 1;
    part += piece.slice(0, piece.length - Math.ceil(slashes / 2));
    if (escapes) part += BAR;
    else {
      parts.push(part.trim());
      part = '';
    }
  }
  return [...parts, (part + last).trim()];
}

/** One cell of all these parts, which {@link partsOf} takes apart again. */
export function joinedParts(parts: readonly string[]): string {
  const pieces = parts.flatMap((part) => part.split(BAR).map((piece, at) => ({ piece, isBar: at > 0 })));
  return pieces.reduce((cell, { piece, isBar }, at) => {
    if (at === 0) return piece;
    return `${cell}${SLASH.repeat(slashesAtEnd(cell))}${isBar ? SLASH : ''}${BAR}${piece}`;
  }, '');
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

/** A cell that begins so is a formula to a spreadsheet, which runs it: by full-width signs too, with an East Asian keyboard. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const GUARDED = /^'+[=+\-@＝＋－＠\t\r\n]/;

/** `=1+1` -> `'=1+1`: spreadsheets take an apostrophe for the mark of a text. Another one is added where one stands already. */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text as it was before {@link guarded}. */
export function unguarded(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}
