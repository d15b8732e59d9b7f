import { EditorState, type StateCommand } from '@codemirror/state';
import { markdown } from '../code/markdown-language.js';
import { continueList } from './continue-list.js';
import { indentItems, outdentItems } from './indent-list.js';
import { linkOver } from './paste-link.js';
import { toggleTask } from './tasks.js';

/** A text with the cursor at `|`, or what is between two of them selected. */
const stateOf = (marked: string): EditorState => {
  const [before = '', inner, after] = marked.split('|');
  const doc = marked.replaceAll('|', '');
  const anchor = before.length;
  const head = after === undefined ? anchor : anchor + (inner ?? '').length;
  return EditorState.create({ doc, selection: { anchor, head }, extensions: markdown });
};

/** What a command makes of it; `null`: it leaves the key to others. */
const ran = (command: StateCommand, marked: string): string | null => {
  let state = stateOf(marked);
  const isDone = command({ state, dispatch: (transaction) => (state = transaction.state) });
  const { head } = state.selection.main;
  return isDone ? `${state.sliceDoc(0, head)}|${state.sliceDoc(head)}` : null;
};

describe('Enter', () => {
  it.each([
    ['- a|', '- a\n- |'],
    ['* a|b', '* a\n* |b'],
    ['- a| b', '- a\n- |b'],
    ['9. a|', '9. a\n10. |'],
    ['1) a|', '1) a\n2) |'],
    ['  -   a|', '  -   a\n  -   |'],
    ['- [x] done|', '- [x] done\n- [ ] |'],
    ['> quote|', '> quote\n> |'],
    ['> - item|', '> - item\n> - |'],
  ])('goes on with the list in %j', (before, after) => {
    expect(ran(continueList, before)).toBe(after);
  });

  it.each([
    ['- a\n- |', '- a\n|'],
    ['1. a\n2. |', '1. a\n|'],
    ['- [ ] |', '|'],
    ['- a\n  - |', '- a\n|'],
    ['> a\n> |', '> a\n|'],
    ['> - a\n> - |', '> - a\n> |'],
  ])('ends the list with the empty item in %j', (before, after) => {
    expect(ran(continueList, before)).toBe(after);
  });

  it.each(['text|', '|- a', '-|', '- - -|', '```\n- a|\n```', '|- a|'])('is an ordinary one in %j', (text) => {
    expect(ran(continueList, text)).toBeNull();
  });
});

describe('Tab', () => {
  it.each([
    ['- a\n- b|', '- a\n  - b|'],
    ['1. a\n2. b|', '1. a\n   2. b|'],
    ['- a\n- b|\n  - c\n- d', '- a\n  - b|\n    - c\n- d'],
    ['> - a\n> - b|', '> - a\n>   - b|'],
    ['- a|', '- a|'],
    ['```\na|\n```', '```\n  a|\n```'],
  ])('indents in %j', (before, after) => {
    expect(ran(indentItems, before)).toBe(after);
  });

  it.each([
    ['- a\n  - b|', '- a\n- b|'],
    ['1. a\n   - b|\n     - c', '1. a\n- b|\n  - c'],
    ['- a\n\t- b|', '- a\n- b|'],
    ['- a|', '- a|'],
    ['```\n  a|\n```', '```\na|\n```'],
  ])('with Shift takes back the indent in %j', (before, after) => {
    expect(ran(outdentItems, before)).toBe(after);
  });

  it('leaves a text that is no list', () => {
    expect(ran(indentItems, 'text|')).toBeNull();
    expect(ran(outdentItems, 'text|')).toBeNull();
  });
});

describe('An address that is pasted', () => {
  const pasted = (marked: string, text: string): string | null => {
    const state = stateOf(marked);
    const link = linkOver(state, text);
    return link && state.update(link).state.sliceDoc();
  };

  it('over words makes a link of them', () => {
    expect(pasted('see |the docs| now', 'https://example.org/a')).toBe('see [the docs](https://example.org/a) now');
    expect(pasted('|a|', ' https://example.org/b_(c) ')).toBe('[a](<https://example.org/b_(c)>)');
    expect(pasted('|a|', 'mailto:ann@example.org')).toBe('[a](mailto:ann@example.org)');
  });

  it('is a text like any other elsewhere', () => {
    expect(pasted('see | now', 'https://example.org')).toBeNull();
    expect(pasted('|a|', 'no address')).toBeNull();
    expect(pasted('|a|', 'javascript:alert(1)')).toBeNull();
    expect(pasted('|https://example.com|', 'https://example.org')).toBeNull();
    expect(pasted('```\n|a|\n```', 'https://example.org')).toBeNull();
    expect(pasted('|a\nb|', 'https://example.org')).toBeNull();
  });
});

describe('A task', () => {
  it('is done and open again with all other bytes the same', () => {
    const text = '* [ ]  odd\tblanks  \n';
    const open = stateOf(`|${text}`);
    const done = open.update(toggleTask(open, 2)).state;
    expect(done.sliceDoc()).toBe('* [x]  odd\tblanks  \n');
    expect(done.update(toggleTask(done, 2)).state.sliceDoc()).toBe(text);
  });
});
