import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { DecorationSet } from '@codemirror/view';
import type { SyntaxNodeRef } from '@lezer/common';
import { BLOCKS } from './block-looks.js';
import { Decorating, type Look, type Seen } from './decorating.js';
import { INLINES } from './inline-looks.js';

const LOOKS: Readonly<Record<string, Look>> = { ...BLOCKS, ...INLINES };

/** Characters of a line that is shown as it is stored: a browser would take minutes to lay out its thousands of marks. */
const LONGEST = 10_000;

/**
 * Looks of Markdown while it is written: its text stays, and marks away from the cursor are hidden.
 *
 * @param isShown whether marks are shown at the cursor
 */
export function liveLooks(state: EditorState, parts: readonly Seen[], isShown: boolean): DecorationSet {
  const all = new Decorating(state, isShown);
  for (const seen of parts) {
    syntaxTree(state).iterate({
      ...seen,
      enter: (node) => {
        if (isInLongLine(node, state)) return false;
        LOOKS[node.name]?.(node, all, seen);
        return true;
      },
    });
  }
  return all.done();
}

function isInLongLine({ name, from, to }: SyntaxNodeRef, { doc }: EditorState): boolean {
  return name !== 'Document' && to - from > LONGEST && doc.lineAt(from).length > LONGEST;
}
