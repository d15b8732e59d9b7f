import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { Command } from '@codemirror/view';

const TASK = /^(?:\s*>)*\s*(?:[-*+]|\d{1,9}[.)])\s+\[[ xX]\](?=\s|$)/;

/** Tells whether a task is done, at the place of its brackets. */
export function isDoneTask(state: EditorState, from: number): boolean {
  return /\[x\]/i.test(state.sliceDoc(from, from + 3));
}

/** Turns a task into a done one, or back. @param from the place of its brackets */
export function toggleTask(state: EditorState, from: number): TransactionSpec {
  const changes = { from: from + 1, to: from + 2, insert: isDoneTask(state, from) ? ' ' : 'x' };
  return { changes, userEvent: 'input.task' };
}

/** The same for the task in the line of the cursor. */
export const toggleTaskHere: Command = (view) => {
  const { state } = view;
  const line = state.doc.lineAt(state.selection.main.head);
  const found = TASK.exec(line.text);
  if (!found || state.readOnly) return false;
  view.dispatch(toggleTask(state, line.from + found[0].length - 3));
  return true;
};
