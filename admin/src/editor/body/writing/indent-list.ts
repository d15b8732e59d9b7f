import type { EditorState, Line, StateCommand } from '@codemirror/state';
import { isInCode, listLineOf, type ListLine } from './list-lines.js';

/** The number of blanks in a tab. */
const TAB = 4;
/** The indent of code. */
const STEP = '  ';

/** Makes the items at the cursor items of the one above; in code, indents its lines. */
export const indentItems: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const [first, ...lines] = linesOf(state);
  if (!first) return false;
  const item = listLineOf(first.text);
  const isCode = isInCode(state, first.from);
  if (!isCode && !item?.mark) return false;
  const insert = isCode || !item ? STEP : ' '.repeat(inwards(state, first, item));
  const changes = [first, ...lines].filter(({ length }) => length > 0).map((line) => ({ from: startOf(line), insert }));
  dispatch(state.update({ changes }, { scrollIntoView: true, userEvent: 'input.indent' }));
  return true;
};

/** Takes the items at the cursor out of the one above. */
export const outdentItems: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const [first, ...lines] = linesOf(state);
  if (!first) return false;
  const item = listLineOf(first.text);
  const isCode = isInCode(state, first.from);
  if (!isCode && !item?.mark) return false;
  const most = isCode || !item ? STEP.length : outwards(state, first, item);
  const changes = [first, ...lines].map((line) => ({ from: startOf(line), to: startOf(line) + blanksOf(line, most) }));
  dispatch(state.update({ changes }, { scrollIntoView: true, userEvent: 'delete.dedent' }));
  return true;
};

/** The lines that are selected, with those of the items below them. */
function linesOf(state: EditorState): Line[] {
  const { main } = state.selection;
  const first = state.doc.lineAt(main.from);
  const last = state.doc.lineAt(main.to).number;
  const lines = linesFrom(state, first.number, (line) => line.number <= last);
  if (isInCode(state, main.from) || lines.length > 1) return lines;
  const own = widthOf(first.text);
  return [first, ...linesFrom(state, last + 1, ({ text }) => text.trim() !== '' && widthOf(text) > own)];
}

/** The lines from a number on for as long as they are of a kind. */
function linesFrom({ doc }: EditorState, number: number, isOne: (line: Line) => boolean): Line[] {
  const lines: Line[] = [];
  for (let n = number; n <= doc.lines; n += 1) {
    const line = doc.line(n);
    if (!isOne(line)) break;
    lines.push(line);
  }
  return lines;
}

/** Blanks until an item is one of the item above; none if there is none. */
function inwards(state: EditorState, line: Line, item: ListLine): number {
  const own = columnsOf(item.indent);
  for (let n = line.number - 1; n > 0; n -= 1) {
    const above = listLineOf(state.doc.line(n).text);
    if (!above?.mark) continue;
    const column = columnsOf(above.indent);
    if (column <= own) return Math.max(0, column + above.mark.length + Math.max(1, above.gap.length) - own);
  }
  return 0;
}

/** Blanks until an item stands below the one that it was part of. */
function outwards(state: EditorState, line: Line, item: ListLine): number {
  const own = columnsOf(item.indent);
  for (let n = line.number - 1; n > 0; n -= 1) {
    const above = listLineOf(state.doc.line(n).text);
    if (above?.mark && columnsOf(above.indent) < own) return own - columnsOf(above.indent);
  }
  return own;
}

/** The place from which the text of a line is moved: after the marks of its quote. */
function startOf({ from, text }: Line): number {
  return from + (/^(?:[ \t]*>[ ]?)*/.exec(text)?.[0].length ?? 0);
}

/** The number of characters for so many blanks, at most. */
function blanksOf(line: Line, most: number): number {
  const text = line.text.slice(startOf(line) - line.from);
  let signs = 0;
  for (let width = 0; width < most && /[ \t]/.test(text.charAt(signs)); signs += 1) {
    width += text.charAt(signs) === '\t' ? TAB : 1;
  }
  return signs;
}

function widthOf(text: string): number {
  return columnsOf(/^(?:[ \t]*>)*[ \t]*/.exec(text)?.[0] ?? '');
}

function columnsOf(indent: string): number {
  return indent.replaceAll('\t', ' '.repeat(TAB)).length;
}
