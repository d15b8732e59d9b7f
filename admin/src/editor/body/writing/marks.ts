import { EditorSelection, type EditorState, type SelectionRange } from '@codemirror/state';
import type { Command, EditorView } from '@codemirror/view';

/** Puts marks around what is selected or the word at the cursor, or takes them away. */
export function wrapped(mark: string): Command {
  return (view) => {
    const { state } = view;
    const change = state.changeByRange((selected) => {
      const { from, to } = wordsIn(state, selected);
      const moved = (by: number) => EditorSelection.range(selected.anchor + by, selected.head + by);
      if (isWrapped(state, from, to, mark)) {
        const changes = [
          { from: from - mark.length, to: from },
          { from: to, to: to + mark.length },
        ];
        return { changes, range: moved(-mark.length) };
      }
      const changes = [
        { from, insert: mark },
        { from: to, insert: mark },
      ];
      return { changes, range: moved(mark.length) };
    });
    return written(view, change);
  };
}

/** Puts a mark before each line that is selected, or takes it away from all of them. @param mark by the number of the line */
export function prefixed(mark: (index: number) => string, present: RegExp): Command {
  return (view) => {
    const lines = selectedLines(view.state).filter(({ text }, _, all) => text.trim() !== '' || all.length === 1);
    const isAll = lines.every(({ text }) => present.test(text));
    const changes = lines.map(({ from, text }, index) => {
      const old = PREFIX.exec(text)?.[0] ?? '';
      const start = from + (/^[ \t]*/.exec(old)?.[0].length ?? 0);
      return { from: start, to: from + old.length, insert: isAll ? '' : mark(index) };
    });
    return written(view, { changes });
  };
}

/** Makes a line a heading, a lower one, and a plain line again. */
export const heading: Command = (view) => {
  const [line] = selectedLines(view.state);
  if (!line) return false;
  const [marks = ''] = /^#{1,6}[ \t]+/.exec(line.text) ?? [];
  const next = { '## ': '### ', '### ': '' }[marks] ?? '## ';
  return written(view, { changes: { from: line.from, to: line.from + marks.length, insert: next } });
};

/** Makes a link of what is selected, whose address is typed next. */
export const link: Command = (view) => linked(view, '[', 'https://');

/** The same for an image. */
export const image: Command = (view) => linked(view, '![', 'https://');

/** Puts the lines that are selected into a code block. */
export const codeBlock: Command = (view) => {
  const lines = selectedLines(view.state);
  const [from, to] = [lines[0]?.from ?? 0, lines.at(-1)?.to ?? 0];
  const { lineBreak } = view.state;
  const changes = [
    { from, insert: `\`\`\`${lineBreak}` },
    { from: to, insert: `${lineBreak}\`\`\`` },
  ];
  // Where the language is typed.
  return written(view, { changes, selection: { anchor: from + 3 } });
};

/** Puts an empty table below the present line. */
export const table: Command = (view) => {
  const { state } = view;
  const line = state.doc.lineAt(state.selection.main.head);
  const rows = ['| Column | Column |', '| ------ | ------ |', '|        |        |'];
  const before = line.text.trim() === '' ? [] : [line.text, ''];
  const text = [...before, ...rows, ''].join(state.lineBreak);
  const at = line.from + (before.length > 0 ? line.length + 2 : 0) + 2;
  const changes = { from: line.from, to: line.to, insert: state.toText(text) };
  return written(view, { changes, selection: { anchor: at, head: at + 'Column'.length } });
};

/** Marks that may stand before the text of a line. */
const PREFIX = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]?|#{1,6}[ \t]+)?/;

/** The word around a cursor that stands within one. */
function wordsIn(state: EditorState, range: SelectionRange): { readonly from: number; readonly to: number } {
  const word = range.empty ? state.wordAt(range.head) : null;
  return word && word.from < range.head && range.head < word.to ? word : range;
}

/** Tells whether a mark surrounds a range. Two of three stars are bold, and one is italic. */
function isWrapped(state: EditorState, from: number, to: number, mark: string): boolean {
  const sign = mark.charAt(0);
  let run = 0;
  while (state.sliceDoc(from - run - 1, from - run) === sign && state.sliceDoc(to + run, to + run + 1) === sign)
    run += 1;
  return sign === '*' && mark.length === 1 ? run % 2 === 1 : run >= mark.length;
}

function linked(view: EditorView, open: string, address: string): boolean {
  const { state } = view;
  const { from, to } = wordsIn(state, state.selection.main);
  const words = state.sliceDoc(from, to);
  const insert = `${open}${words}](${address})`;
  const end = from + insert.length - 1;
  const selection = words === '' ? { anchor: from + open.length } : { anchor: end - address.length, head: end };
  return written(view, { changes: { from, to, insert: state.toText(insert) }, selection });
}

function selectedLines({ doc, selection: { main } }: EditorState) {
  const last = doc.lineAt(main.to).number;
  const first = doc.lineAt(main.from).number;
  return Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index));
}

function written(view: EditorView, change: Parameters<EditorView['dispatch']>[0]): boolean {
  if (view.state.readOnly) return false;
  view.dispatch(change, { scrollIntoView: true, userEvent: 'input' });
  view.focus();
  return true;
}
