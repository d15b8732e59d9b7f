import type { EditorState, TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { isInCode } from './list-lines.js';

/** Text that can stand between the brackets of a link. */
const WORDS = /^[^\r\n[\]]+$/;
const ADDRESS = /^(https?:\/\/|mailto:)\S+$/i;

/** Makes a link of the words that an address is pasted over; `null`: it is pasted as any other text. */
export function linkOver(state: EditorState, pasted: string): TransactionSpec | null {
  const address = pasted.trim();
  const { from, to } = state.selection.main;
  const words = state.sliceDoc(from, to);
  const mayLink = state.selection.ranges.length === 1 && !state.readOnly && !isInCode(state, from);
  if (!mayLink || !ADDRESS.test(address) || !WORDS.test(words) || ADDRESS.test(words.trim())) return null;
  // Parentheses in an address would end it.
  const insert = `[${words}](${/[()]/.test(address) ? `<${address}>` : address})`;
  return {
    changes: { from, to, insert: state.toText(insert) },
    selection: { anchor: from + insert.length },
    userEvent: 'input.paste',
  };
}

/** An address that is pasted over words makes a link of them. */
export const pasteLinks = EditorView.domEventHandlers({
  paste(event, view) {
    const link = linkOver(view.state, event.clipboardData?.getData('text/plain') ?? '');
    if (!link) return false;
    event.preventDefault();
    view.dispatch(link);
    return true;
  },
});
