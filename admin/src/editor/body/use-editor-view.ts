import { Compartment, EditorState, Text, Transaction, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { place } from '../../place.js';
import { words } from '../../words.js';
import { bodySetup, given, grammarOf, lineEndOf, type BodyKind } from './body-setup.js';

interface EditorOptions {
  readonly text: string;
  /** Another number whenever the text is another one than what was typed here. */
  readonly drawn: number;
  readonly kind: BodyKind;
  readonly isReadOnly: boolean;
  /** Further extensions that an editor begins with. */
  readonly extra: () => Extension;
  readonly onChange: (text: string) => void;
}

const language = new Compartment();
/** Browsers put the cursor to the beginning when the focus comes back, such as from a dialog: it goes back to where it was. */
const cursor = EditorView.domEventHandlers({
  focus: (_, view) => {
    view.focus();
  },
});
/** The cursor stays clear of the bars at the top of the screen. Pixels. */
const clear = EditorView.scrollMargins.of(() => ({ top: 180, bottom: 40 }));

/** Puts an editor into a box, outside of React: it keeps its text itself. */
export function useEditorView(box: RefObject<HTMLElement | null>, options: EditorOptions): EditorView | null {
  const [view, setView] = useState<EditorView | null>(null);
  const now = useRef(options);
  now.current = options;
  const { kind, isReadOnly, drawn } = options;
  const lineEnd = useMemo(() => lineEndOf(now.current.text), [drawn]);

  useEffect(() => {
    if (!box.current) return undefined;
    const { text, extra } = now.current;
    const { body: label, bodyPlaceholder: hint } = words.editor;
    const onChange = (next: string) => now.current.onChange(next);
    const { nonce } = place;
    const { doc, extensions } = bodySetup({ text, kind, label, hint, isReadOnly, nonce, onChange });
    const state = EditorState.create({ doc, extensions: [extra(), language.of([]), clear, cursor, extensions] });
    const made = new EditorView({ state, parent: box.current });
    if (grammarOf(kind, text) === 'html') void readAsHtml(made);
    setView(made);
    return () => {
      made.destroy();
      setView(null);
    };
  }, [box, kind, isReadOnly, lineEnd]);
  useEffect(() => {
    if (view) putText(view, now.current.text);
  }, [view, drawn]);
  return view;
}

/** Puts another text into an editor, by what differs: the focus, the cursor and what can be undone stay. */
function putText(view: EditorView, text: string): void {
  const [before, after] = [view.state.doc.toString(), view.state.toText(text).toString()];
  if (before === after) return;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < most - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const insert = Text.of(after.slice(from, after.length - end).split('\n'));
  view.dispatch({
    changes: { from, to: before.length - end, insert },
    annotations: [given.of(true), Transaction.addToHistory.of(false)],
  });
}

/** Colours HTML as soon as its grammar is there; without it, the text is plain. */
async function readAsHtml(view: EditorView): Promise<void> {
  const found = await import('./code/html-parser.js').catch(() => null);
  if (found && view.dom.isConnected) view.dispatch({ effects: language.reconfigure(found.html) });
}
