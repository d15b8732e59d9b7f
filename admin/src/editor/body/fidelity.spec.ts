import { ensureSyntaxTree, language } from '@codemirror/language';
import { history, undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { bodySetup, grammarOf } from './body-setup.js';
import { liveLooks } from './live/live-looks.js';
import { SAMPLES } from './samples.js';

/** A sign that is in no sample. */
const SNOWMAN = '☃';

const opened = (text: string): EditorState => {
  const options = {
    kind: 'markdown',
    label: '',
    hint: '',
    isReadOnly: false,
    nonce: '',
    onChange: () => undefined,
  } as const;
  const { doc, extensions } = bodySetup({ text, ...options });
  return EditorState.create({ doc, extensions: [extensions, history()] });
};

/** Reads all of a text, and finds how it looks with the cursor at each of some places. */
const looked = (state: EditorState): number => {
  ensureSyntaxTree(state, state.doc.length, 10_000);
  const all = [{ from: 0, to: state.doc.length }];
  const places = [0, Math.floor(state.doc.length / 2), state.doc.length];
  return places
    .map((anchor) => liveLooks(state.update({ selection: { anchor } }).state, all, true).size)
    .reduce((sum, size) => sum + size, liveLooks(state, all, false).size);
};

describe('A body in the editor', () => {
  it.each(SAMPLES)('keeps each byte of %s, opened, looked at and edited in one place', (_about, text) => {
    const state = opened(text);
    looked(state);
    expect(state.sliceDoc()).toBe(text);

    for (const part of [0, 0.3, 0.7, 1]) {
      const from = Math.floor(state.doc.length * part);
      const edited = state.update({ changes: { from, insert: SNOWMAN } }).state;
      looked(edited);
      const written = edited.sliceDoc();
      expect(written).toContain(SNOWMAN);
      expect(written.replace(SNOWMAN, '')).toBe(text);
    }
  });

  it.each(SAMPLES)('has %s again when a change is taken back', (_about, text) => {
    let state = opened(text);
    state = state.update({ changes: { from: 0, to: state.doc.length, insert: SNOWMAN } }).state;
    expect(state.sliceDoc()).toBe(SNOWMAN);

    undo({ state, dispatch: (transaction) => (state = transaction.state) });

    expect(state.sliceDoc()).toBe(text);
  });

  it('gives what is pasted the line ends that the text has', () => {
    const pasted = (text: string) =>
      opened(text)
        .facet(EditorView.clipboardInputFilter)
        .reduce((now, filter) => filter(now, opened(text)), 'a\r\nb\nc');
    expect(pasted('One\r\nTwo')).toBe('a\r\nb\r\nc');
    expect(pasted('One\nTwo')).toBe('a\nb\nc');
  });

  it.each([
    ['with its grammar, however long it is', 'A line.\n'.repeat(20_000), true],
    ['without it if a line is so long that each key would wait', `A line.\n${'word '.repeat(10_000)}\nThe end.`, false],
  ])('is written %s', (_about, text, hasGrammar) => {
    expect(opened(text).facet(language) !== null).toBe(hasGrammar);
    expect(grammarOf('html', text)).toBe(hasGrammar ? 'html' : 'text');
    expect(opened(text).sliceDoc()).toBe(text);
  });
});
