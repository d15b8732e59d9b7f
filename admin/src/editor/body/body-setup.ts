import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { Annotation, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view';
import { markdown } from './code/markdown-language.js';
import { looks } from './looks.js';
import { markdownKeys } from './writing/markdown-keys.js';
import { pasteLinks } from './writing/paste-link.js';

/** A change that was not made by hand. */
export const given = Annotation.define<boolean>();

export type BodyKind = 'markdown' | 'html' | 'text';

export interface BodyOptions {
  readonly text: string;
  readonly kind: BodyKind;
  readonly label: string;
  readonly hint: string;
  readonly isReadOnly: boolean;
  /** Lets the editor add its styles under the policy of the page. */
  readonly nonce: string;
  readonly onChange: (text: string) => void;
}

/** Extensions of an editor whose text stays byte for byte as it is stored, until a key changes it. */
export function bodySetup({ text, kind, label, hint, isReadOnly, nonce, onChange }: BodyOptions) {
  return {
    doc: text,
    extensions: [
      // A text with both kinds of line ends keeps each.
      EditorState.lineSeparator.of(lineEndOf(text)),
      EditorView.clipboardInputFilter.of((pasted, state) => pasted.replace(/\r\n?|\n/g, state.lineBreak)),
      EditorState.readOnly.of(isReadOnly),
      EditorView.cspNonce.of(nonce),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', autocapitalize: 'sentences' }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (docChanged && !transactions.some((one) => one.annotation(given))) onChange(state.sliceDoc());
      }),
      history(),
      drawSelection(),
      placeholder(hint),
      looks,
      grammarOf(kind, text) === 'markdown' ? [markdown, markdownKeys, pasteLinks] : [],
      // Publishing has this key in the whole editor.
      keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
    ],
  };
}

/** Characters of a line from which on a key takes too long: a grammar reads a paragraph, or an element, as a whole. */
const GIANT_LINE = 50_000;

/** By which grammar a text is read while it is written; `text`: by none. */
export function grammarOf(kind: BodyKind, text: string): BodyKind {
  return hasGiantLine(text) ? 'text' : kind;
}

function hasGiantLine(text: string): boolean {
  for (let start = 0; start + GIANT_LINE <= text.length;) {
    const end = text.indexOf('\n', start);
    if (end === -1 || end - start >= GIANT_LINE) return true;
    start = end + 1;
  }
  return false;
}

/** The line end of a text. */
export function lineEndOf(text: string): string {
  return hasOnly(text, '\r\n') ? '\r\n' : '\n';
}

function hasOnly(text: string, end: string): boolean {
  return text.includes(end) && !/[\r\n]/.test(text.replaceAll(end, ''));
}
