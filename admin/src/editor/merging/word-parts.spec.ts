import fc from 'fast-check';
import { wordParts } from './word-parts.js';

/** Parts as a reader could type them: `[-went-]{+came+}`, `<what is folded>`. */
function typed(before: string, after: string): string {
  const marks = { same: ['', ''], added: ['{+', '+}'], removed: ['[-', '-]'], folded: ['<', '>'] } as const;
  return wordParts(before, after)
    .map(({ kind, text }) => marks[kind].join(text))
    .join('');
}

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}\n`).join('');

describe('wordParts', () => {
  it.each([
    ['a word', 'Rolling back with fear', 'Rolling back without fear', 'Rolling back [-with-]{+without+} fear'],
    ['words in a row', 'one two three four five.', 'one 2 3 four five.', 'one [-two three-]{+2 3+} four five.'],
    ['a new line', 'a\nb\n', 'a\nnew\nb\n', 'a\n{+new\n+}b\n'],
    ['a text that became another one', 'Good morning', 'Adiós', '[-Good morning-]{+Adiós+}'],
    ['a sign of several units', 'Hi 👩🏽‍💻 all of you', 'Hi 👩🏽 all of you', 'Hi [-👩🏽‍💻-]{+👩🏽+} all of you'],
    ['no text', '', 'new', '{+new+}'],
    ['nothing', 'same', 'same', '<No difference>'],
  ])('shows %s', (_, before, after, expected) => {
    expect(typed(before, after)).toBe(expected);
  });

  it('folds what stayed, but for a little around each change', () => {
    const before = `${lines(1, 20)}old\n${lines(21, 40)}old\n${lines(41, 60)}`;

    expect(typed(before, before.replaceAll('old', 'new'))).toBe(
      `<Show 18 unchanged lines>${lines(19, 20)}[-old-]{+new+}\nline 21\n<Show 17 unchanged lines>${lines(39, 40)}[-old-]{+new+}\nline 41\n<Show 19 unchanged lines>`,
    );
  });

  it('gives what is folded back', () => {
    const before = `${lines(1, 20)}old`;

    const [fold] = wordParts(before, `${lines(1, 20)}new`);

    expect(fold).toMatchObject({ kind: 'folded', left: { kind: 'same', text: lines(1, 18) } });
  });

  it('folds a long line between words', () => {
    const long = 'lorem ipsum '.repeat(100);

    expect(typed(`${long}old`, `${long}new`)).toMatch(
      /^<Show \d+ unchanged words>( lorem ipsum)+ \[-old-\]\{\+new\+\}$/,
    );
  });

  it('gives both texts back, when they are short', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '.', '👋', '天'), maxLength: 40 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after && before.split(/\r\n|[\r\n]/).length < 4 && after.split(/\r\n|[\r\n]/).length < 4);
        const parts = wordParts(before, after);
        const without = (left: string) => parts.flatMap(({ kind, text: part }) => (kind === left ? [] : part)).join('');

        expect(without('added')).toBe(before);
        expect(without('removed')).toBe(after);
      }),
      { numRuns: 100 },
    );
  });

  it('shows little of two long texts that have nothing in common', () => {
    const [before, after] = ['abc ', 'xyz '].map((word) => `${word.repeat(20)}\n`.repeat(5_000));

    const shown = typed(before ?? '', after ?? '');

    expect(shown.length).toBeLessThan(10_000);
    expect(shown).toMatch(/<Show [\d,]+ more lines>/);
  });
});
