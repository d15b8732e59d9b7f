import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { DecorationSet } from '@codemirror/view';
import { BLOCKS } from './block-looks.js';
import { Decorating, type Look, type Seen } from './decorating.js';
import { INLINES } from './inline-looks.js';

const LOOKS: Readonly<Record<string, Look>> = { ...BLOCKS, ...INLINES };

/**
 * How Markdown looks while it is written: its text stays, and marks away from the cursor are hidden.
 *
 * @param isShown whether marks are shown at the cursor
 */
export function liveLooks(state: EditorState, parts: readonly Seen[], isShown: boolean): DecorationSet {
  const all = new Decorating(state, isShown);
  for (const seen of parts) {
    syntaxTree(state).iterate({
      ...seen,
      enter: (node) => LOOKS[node.name]?.(node, all, seen),
    });
  }
  return all.done();
}
