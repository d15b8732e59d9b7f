import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  LanguageSupport,
  syntaxHighlighting,
} from '@codemirror/language';
import { EditorSelection, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, placeholder, type Command } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { GFM, parser } from '@lezer/markdown';
import { place } from '../../place.js';

/** Without the grammars of HTML, CSS and JavaScript, which would weigh as much as the editor. */
const markdown = new LanguageSupport(new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown'));

const looks = HighlightStyle.define([
  { tag: tags.heading1, fontSize: '1.4em', fontWeight: '680', letterSpacing: '-0.015em' },
  { tag: tags.heading2, fontSize: '1.2em', fontWeight: '680', letterSpacing: '-0.01em' },
  { tag: tags.heading, fontWeight: '680' },
  { tag: tags.strong, fontWeight: '680' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.monospace, fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.9em' },
  { tag: tags.link, color: 'var(--mantine-color-anchor)' },
  { tag: tags.url, color: 'var(--mantine-color-dimmed)' },
  { tag: tags.quote, color: 'var(--mantine-color-dimmed)' },
  { tag: tags.processingInstruction, color: 'var(--mantine-color-dimmed)' },
  { tag: tags.contentSeparator, color: 'var(--mantine-color-dimmed)' },
]);

const frame = EditorView.theme({
  '&': { fontSize: '16px', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.75' },
  '.cm-content': { padding: '0 0 96px', caretColor: 'var(--mantine-color-text)' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-primary-color-filled)', borderLeftWidth: '2px' },
  '.cm-placeholder': { color: 'var(--mantine-color-placeholder)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--mantine-primary-color-filled) 24%, transparent)',
  },
});

interface BodyOptions {
  readonly text: string;
  readonly kind: 'markdown' | 'html' | 'text';
  readonly label: string;
  readonly hint: string;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** An editor whose text stays byte for byte what is stored, until a key changes it. */
export function bodyState({ text, kind, label, hint, isReadOnly, onChange }: BodyOptions): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      // A text with both kinds of line ends keeps each.
      EditorState.lineSeparator.of(hasOnly(text, '\r\n') ? '\r\n' : '\n'),
      EditorState.readOnly.of(isReadOnly),
      EditorView.cspNonce.of(place.nonce),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', autocapitalize: 'sentences' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.sliceDoc());
      }),
      history(),
      drawSelection(),
      placeholder(hint),
      frame,
      kind === 'markdown' ? markdownExtensions : [],
      // Publishing has this key in the whole editor.
      keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
    ],
  });
}

const markdownExtensions: Extension = [
  markdown,
  syntaxHighlighting(looks),
  keymap.of([
    { key: 'Mod-b', run: wrapped('**') },
    { key: 'Mod-i', run: wrapped('*') },
    { key: 'Mod-e', run: wrapped('`') },
    { key: 'Mod-Shift-k', run: wrapped('[', '](https://)') },
  ]),
];

/** Puts marks around what is selected, or takes them away. */
export function wrapped(before: string, after = before): Command {
  return (view) => {
    const { state } = view;
    const change = state.changeByRange(({ from, to }) => {
      const start = from - before.length;
      const isWrapped =
        state.sliceDoc(Math.max(0, start), from) === before && state.sliceDoc(to, to + after.length) === after;
      if (isWrapped) {
        const changes = [
          { from: start, to: from },
          { from: to, to: to + after.length },
        ];
        return { changes, range: EditorSelection.range(start, to - before.length) };
      }
      const changes = [
        { from, insert: before },
        { from: to, insert: after },
      ];
      return { changes, range: EditorSelection.range(from + before.length, to + before.length) };
    });
    view.dispatch(change);
    view.focus();
    return true;
  };
}

/** Puts a mark at the beginning of the present line, or takes it away. */
export function prefixed(mark: string): Command {
  return (view) => {
    const { text, from } = view.state.doc.lineAt(view.state.selection.main.head);
    const changes = text.startsWith(mark) ? { from, to: from + mark.length } : { from, insert: mark };
    view.dispatch({ changes });
    view.focus();
    return true;
  };
}

function hasOnly(text: string, end: string): boolean {
  return text.includes(end) && !/[\r\n]/.test(text.replaceAll(end, ''));
}
