import { Text, type EditorState, type Line, type StateCommand, type TransactionSpec } from '@codemirror/state';
import { isInCode, listLineOf, nextPrefix, type ListLine } from './list-lines.js';

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
  // Before its text, Enter makes room above the item.
  if (!item || main.head < line.to - item.text.length) return null;
  return item.text.trim() === '' ? ended(line.from, line.to, item) : continued(line, main.head, item);
}

function continued(line: Line, head: number, item: ListLine): TransactionSpec {
  const prefix = nextPrefix(item);
  // Blanks behind the cursor would stand before the text of the next item.
  const blanks = /^[ \t]*/.exec(line.text.slice(head - line.from))?.[0].length ?? 0;
  const changes = { from: head, to: head + blanks, insert: Text.of(['', prefix]) };
  return { changes, selection: { anchor: head + 1 + prefix.length } };
}

/** An empty item is taken away; one in a quote leaves the quote, which the next Enter ends. */
function ended(from: number, to: number, { indent, mark }: ListLine): TransactionSpec {
  const rest = mark === '' ? '' : (/^(?:[ \t]*>)*[ \t]?/.exec(indent)?.[0] ?? '').replace(/^[ \t]+$/, '');
  return { changes: { from, to, insert: rest }, selection: { anchor: from + rest.length } };
}
