import type { EditorState, StateCommand, TransactionSpec } from '@codemirror/state';
import { isInCode, listLineOf, nextPrefix } from './list-lines.js';

/** Goes on with a list or a quote in the next line, and ends it in an item that is empty. */
export const continueList: StateCommand = ({ state, dispatch }) => {
  const change = state.readOnly ? null : nextItem(state);
  if (!change) return false;
  dispatch(state.update(change, { scrollIntoView: true, userEvent: 'input' }));
  return true;
};

function nextItem(state: EditorState): TransactionSpec | null {
  const { main, ranges } = state.selection;
  if (ranges.length > 1 || !main.empty || isInCode(state, main.head)) return null;
  const line = state.doc.lineAt(main.head);
  const item = listLineOf(line.text);
  if (!item) return null;
  const start = line.to - item.text.length;
  if (main.head < start) return null;
  if (item.text.trim() === '') return ended(line.from, line.to, item);
  const insert = `${state.lineBreak}${nextPrefix(item)}`;
  // Blanks behind the cursor would stand before the text of the next item.
  const blanks = /^[ \t]*/.exec(line.text.slice(main.head - line.from))?.[0].length ?? 0;
  const changes = { from: main.head, to: main.head + blanks, insert: state.toText(insert) };
  return { changes, selection: { anchor: main.head + 1 + nextPrefix(item).length } };
}

/** An empty item is taken away; one in a quote leaves the quote, which the next Enter ends. */
function ended(from: number, to: number, { indent, mark }: { indent: string; mark: string }): TransactionSpec {
  const rest = mark === '' ? '' : (/^(?:[ \t]*>)*[ \t]?/.exec(indent)?.[0] ?? '').replace(/^[ \t]+$/, '');
  return { changes: { from, to, insert: rest }, selection: { anchor: from + rest.length } };
}
