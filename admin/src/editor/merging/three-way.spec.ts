import fc from 'fast-check';
import { mergeTexts } from './three-way.js';

/** Texts of few different lines, so that they meet often, with line ends of both kinds and signs of more than one unit. */
const line = fc.tuple(
  fc.constantFrom('', 'a', 'b', 'a b', 'red car', '- 👩🏽‍💻 item', 'x, y. z', '天気'),
  fc.constantFrom('\n', '\n', '\r\n'),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'end'))
  .map(([lines, end]) => lines.flat().join('') + end);
const few = { numRuns: 60 };

describe('mergeTexts', () => {
  it('gives the text of the only one who has changed it, byte for byte', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeTexts({ base, mine: changed, theirs: base })).toEqual({ text: changed, conflicts: 0 });
        expect(mergeTexts({ base, mine: base, theirs: changed })).toEqual({ text: changed, conflicts: 0 });
        expect(mergeTexts({ base, mine: changed, theirs: changed })).toEqual({ text: changed, conflicts: 0 });
      }),
      few,
    );
  });

  it('loses no word that either has written', () => {
    // A word of its own in a place of the text, whatever it stands in.
    const written = (base: string, word: string, at: number) => {
      const place = Math.floor(at * base.length);
      const isInside = /[\uDC00-\uDFFF]/.test(base.charAt(place));
      return `${base.slice(0, isInside ? place - 1 : place)} ${word} ${base.slice(isInside ? place - 1 : place)}`;
    };
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(text, text, text, place, place, (base, one, other, here, there) => {
        const [mine, theirs] = [written(one, 'Mine', here), written(other, 'Theirs', there)];

        const merged = mergeTexts({ base, mine, theirs }).text.split(/\s/);

        expect(merged).toContain('Mine');
        expect(merged).toContain('Theirs');
      }),
      few,
    );
  });

  it('keeps the changes of both in different lines', () => {
    const lines = Array.from({ length: 9 }, (_, n) => `line ${n}\n`);
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(8), { minLength: 2, maxLength: 2 }), ([here = 0, there = 0]) => {
        const base = lines.join('');
        const mine = lines.with(here, 'mine\n').join('');
        const theirs = lines.with(there, 'theirs\nand more\n').join('');

        const merged = mergeTexts({ base, mine, theirs });

        const isBeside = Math.abs(here - there) === 1;
        expect(merged.text).toContain('mine\n');
        expect(merged.text).toContain('theirs\nand more\n');
        if (!isBeside) {
          expect(merged).toEqual({
            text: lines.with(here, 'mine\n').with(there, 'theirs\nand more\n').join(''),
            conflicts: 0,
          });
        }
      }),
      few,
    );
  });

  it.each([
    [
      'words apart in one line',
      'The red car stops here.\n',
      'The blue car stops here.\n',
      'The red car stops there.\n',
      'The blue car stops there.\n',
    ],
    ['lines beside each other', '- a\n- b\n', '- a, mine\n- b\n', '- a\n- b, theirs\n', '- a, mine\n- b, theirs\n'],
    ['a line changed and one added below it', 'A\n', 'A\nmine\n', 'Theirs\n', 'Theirs\nmine\n'],
    ['CRLF', 'a b c\r\nd\r\n', 'a b C\r\nd\r\n', 'A b c\r\nd\r\n', 'A b C\r\nd\r\n'],
    ['signs of several units', 'Hi 👩🏽‍💻 and 👋 all', 'Hi 👩🏽‍💻 and 👋🏿 all', 'Hey 👩🏽‍💻 and 👋 all', 'Hey 👩🏽‍💻 and 👋🏿 all'],
    ['a script without spaces', '今日は天気がいい', '今日は天気が悪い', '明日は天気がいい', '明日は天気が悪い'],
  ])('merges %s', (_, base, mine, theirs, expected) => {
    expect(mergeTexts({ base, mine, theirs })).toEqual({ text: expected, conflicts: 0 });
  });

  it.each([
    ['one word', 'a red car\n', 'a blue car\n', 'a green car\n', 'a green car\na blue car\n'],
    ['neighbouring words', 'big dog\n', 'small dog\n', 'big cat\n', 'big cat\nsmall dog\n'],
    ['the end of a text without a line end', 'one\r\ntwo', 'one\r\nmine', 'one\r\ntheirs', 'one\r\ntheirs\r\nmine'],
    ['the same place', 'a\nz\n', 'a\nmine\nz\n', 'a\ntheirs\nz\n', 'a\ntheirs\nmine\nz\n'],
    ['a line that one has removed', 'a\nb c\nd\n', 'a\nd\n', 'a\nb C\nd\n', 'a\nb C\nd\n'],
  ])('keeps both, theirs first, where both have changed %s', (_, base, mine, theirs, expected) => {
    expect(mergeTexts({ base, mine, theirs })).toEqual({ text: expected, conflicts: 1 });
  });

  it('counts each place', () => {
    const base = 'one\n\nstays\n\ntwo\n';

    expect(mergeTexts({ base, mine: 'ONE\n\nstays\n\nTWO\n', theirs: '1\n\nstays\n\n2\n' })).toEqual({
      text: '1\nONE\n\nstays\n\n2\nTWO\n',
      conflicts: 2,
    });
  });
});
