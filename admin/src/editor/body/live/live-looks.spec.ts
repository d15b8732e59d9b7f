import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { markdown } from '../code/markdown-language.js';
import { liveLooks } from './live-looks.js';

/** What is read of a text while the cursor is at `|`, or away where there is none: hidden marks are left out. */
const shown = (marked: string): string => {
  const anchor = marked.indexOf('|');
  const doc = marked.replace('|', '');
  const state = EditorState.create({ doc, selection: { anchor: Math.max(anchor, 0) }, extensions: markdown });
  ensureSyntaxTree(state, doc.length, 10_000);
  let read = '';
  let at = 0;
  liveLooks(state, [{ from: 0, to: doc.length }], anchor >= 0).between(0, doc.length, (from, to, { spec }) => {
    // A mark only colours what it is around.
    if ('class' in spec || from < at) return;
    const { widget } = spec as { widget?: { constructor: { name: string } } };
    read += doc.slice(at, from) + (widget ? `{${widget.constructor.name}}` : '');
    at = to;
  });
  return read + doc.slice(at);
};

/** The looks of the line in which a text stands. */
const lookOf = (doc: string, part: string): string => {
  const state = EditorState.create({ doc, extensions: markdown });
  ensureSyntaxTree(state, doc.length, 10_000);
  const { from } = state.doc.lineAt(doc.indexOf(part));
  const found: string[] = [];
  liveLooks(state, [{ from: 0, to: doc.length }], false).between(from, from, (start, _end, { spec }) => {
    if (start === from && 'class' in spec) found.push(String(spec.class));
  });
  return found.join(' ');
};

describe('Markdown while it is written', () => {
  it.each([
    ['A **bold** word', 'A bold word'],
    ['A **bo|ld** word', 'A **bold** word'],
    ['A **bold** wo|rd', 'A bold word'],
    ['*a* _b_ ~~c~~ `d`', 'a b c d'],
    ['## Heading', 'Heading'],
    ['## Head|ing', '## Heading'],
    ['## Heading ##', 'Heading'],
    ['[words](https://example.org "Title")', 'words'],
    ['[wor|ds](https://example.org)', '[words](https://example.org)'],
    ['<https://example.org>', 'https://example.org'],
    ['[words][ref] and [none]', 'words and [none]'],
    ['![A hill](hill.jpg)', '{ImageLine}'],
    ['![A h|ill](hill.jpg)', '![A hill](hill.jpg)'],
    ['> A quote', 'A quote'],
    ['> A quo|te', '> A quote'],
    ['- An item', '{Bullet} An item'],
    ['1. An item', '1. An item'],
    ['- [ ] A task', '{TaskBox} A task'],
    ['- [x] A ta|sk', '{TaskBox} A task'],
    ['- [|x] A task', '- [x] A task'],
    ['An \\*escaped\\* sign', 'An *escaped* sign'],
    ['`[no](link)` **', '[no](link) **'],
  ])('shows %j as %j', (text, read) => {
    expect(shown(text)).toBe(read);
  });

  it('hides the marks of a code block until the cursor is in it', () => {
    expect(shown('```ts\nlet a = 1;\n```\n')).toBe('ts\nlet a = 1;\n\n');
    expect(shown('```ts\nlet a| = 1;\n```\n')).toBe('```ts\nlet a = 1;\n```\n');
  });

  it.each([
    ['# One', 'One', 'md-heading-1'],
    ['One\n===', 'One', 'md-heading-1'],
    ['> A\n> B', 'B', 'md-quote'],
    ['> A\n> > B', 'B', 'md-quote-inner'],
    ['```\na\nb\n```', 'b', 'md-code-block'],
    ['| a | b |\n| - | - |\n| 1 | 2 |', '1', 'md-table'],
    ['| a | b |\n| - | - |', 'a', 'md-table-head'],
    ['a\n\n---\n', '---', 'md-rule'],
    ['- a\n  - b', 'b', 'md-item'],
  ])('has a look for the line in %j with %j', (text, part, look) => {
    expect(lookOf(text, part)).toContain(look);
  });

  it('looks only at what is seen', () => {
    const doc = '**bold**\n'.repeat(10_000);
    const state = EditorState.create({ doc, extensions: markdown });
    ensureSyntaxTree(state, doc.length, 10_000);
    expect(liveLooks(state, [{ from: 900, to: 1_800 }], false).size).toBeLessThan(300);
  });

  it('leaves a line of many thousand characters as it is stored', () => {
    const long = '**bold** '.repeat(2_000).trim();
    expect(shown(`**a**\n\n${long}`) === `a\n\n${long}`).toBe(true);
  });
});
