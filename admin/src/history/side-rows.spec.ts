import { sideRows } from './side-rows.js';

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}\n`).join('');

/** Rows as a reader could type them. */
function typed(before: string, after: string): (string | readonly [string, string])[] {
  const marks = { same: ['', ''], added: ['{+', '+}'], removed: ['[-', '-]'], folded: ['<', '>'] } as const;
  return sideRows(before, after).rows.map((row) => {
    if (row.kind !== 'changed') return marks[row.kind].join(row.part.text);
    const textOf = (parts: typeof row.before) => parts.map(({ kind, text }) => marks[kind].join(text)).join('');
    return [textOf(row.before), textOf(row.after)] as const;
  });
}

describe('Two texts beside each other', () => {
  it('have the same lines in the same rows, and are marked by words in the others', () => {
    expect(typed('One.\nA red house.\nTwo.\n', 'One.\nA blue house.\nTwo.\n')).toEqual([
      'One.\n',
      ['A [-red-] house.\n', 'A {+blue+} house.\n'],
      'Two.\n',
    ]);
  });

  it('are paired line by line if as many lines changed', () => {
    expect(typed('A red house.\nA small cat.\n', 'A blue house.\nA large cat.\n')).toEqual([
      ['A [-red-] house.\n', 'A {+blue+} house.\n'],
      ['A [-small-] cat.\n', 'A {+large+} cat.\n'],
    ]);
  });

  it('leave a place free beside what is new or gone', () => {
    expect(typed('One.\n', 'One.\nTwo.\n')).toEqual(['One.\n', ['', '{+Two.\n+}']]);
  });

  it('are folded where nothing changed, and can be unfolded', () => {
    const before = `${lines(1, 20)}old\n${lines(21, 40)}`;

    const after = before.replace('old', 'new');
    const [fold] = sideRows(before, after).rows;

    expect(typed(before, after)).toEqual([
      '<Show 18 unchanged lines>',
      lines(19, 20),
      ['[-old-]\n', '{+new+}\n'],
      lines(21, 22),
      '<Show 18 unchanged lines>',
    ]);
    expect(fold).toMatchObject({ part: { left: { text: lines(1, 18) } } });
  });

  it('say how many changes are left out of very many', () => {
    const texts = [1, 2].map((text) => Array.from({ length: 1_200 }, (_, n) => `${n % 3 ? n : `${n} ${text}`}\n`));
    const [before = '', after = ''] = texts.map((one) => one.join(''));

    const { rows, more } = sideRows(before, after);

    expect(rows.filter(({ kind }) => kind === 'changed')).toHaveLength(240);
    expect(more).toBe(160);
  });
});
