import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { place } from '../../place.js';
import { words } from '../../words.js';
import { bodySetup, type BodyKind } from './body-setup.js';

interface EditorOptions {
  /** The text at the beginning; another one takes another editor. */
  readonly text: string;
  readonly kind: BodyKind;
  readonly isReadOnly: boolean;
  /** What else an editor begins with. */
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
  const { kind, isReadOnly } = options;

  useEffect(() => {
    if (!box.current) return undefined;
    const { text, extra } = now.current;
    const { body: label, bodyPlaceholder: hint } = words.editor;
    const onChange = (next: string) => now.current.onChange(next);
    const { nonce } = place;
    const { doc, extensions } = bodySetup({ text, kind, label, hint, isReadOnly, nonce, onChange });
    const state = EditorState.create({ doc, extensions: [extra(), language.of([]), clear, cursor, extensions] });
    const made = new EditorView({ state, parent: box.current });
    if (kind === 'html') void readAsHtml(made);
    setView(made);
    return () => {
      made.destroy();
      setView(null);
    };
  }, [box, kind, isReadOnly]);
  return view;
}

/** Colours HTML as soon as its grammar is there; without it, the text is plain. */
async function readAsHtml(view: EditorView): Promise<void> {
  const found = await import('./code/html-parser.js').catch(() => null);
  if (found && view.dom.isConnected) view.dispatch({ effects: language.reconfigure(found.html) });
}
