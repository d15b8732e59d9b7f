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
