import fc from 'fast-check';
import { anyText } from '../../../../test/support/texts.js';
import { termsOf } from '../../../../test/support/terms.js';
import { analyze, indexText } from './analyzer.js';
import { foldCharacter } from './folding.js';

describe('the terms of a text', () => {
  it.each([
    ['Čas & Práce!', 'cas prace'],
    ['cafe\u0301 CAFÉ', 'cafe cafe'],
    ['Straße STRASSE ẞ', 'strasse strasse ss_'],
    ['Ærøskøbing Þór Łódź ħ œuvre ı İ', 'aeroskobing thor lodz h__ oeuvre i__ i__'],
    ['Ёлка ёж', 'елка еж_'],
    ['Οδός ΟΔΟΣ', 'οδοσ οδοσ'],
    ['أحمد مـدرسة', 'احمد مدرسه'],
    ['שָׁלוֹם', 'שלום'],
    ['١٢٣ ۴۵۶', '123 456'],
    ['ｆｕｌｌ １２３', 'full 123'],
    ['co\u00ADoperate zero\u200Bwidth', 'cooperate zerowidth'],
    ['getStaticPaths snake_case kebab-case', 'getstaticpaths snake case kebab case ___ kebabcase'],
    ['v1.22.3 2024-05-01', 'v__ 1__ 22_ 3__ 2024 05_ 01_ ___ v1_ ___ 20240501'],
    ['e-mail well\u2010being here--there - -x x-', 'e__ mail well being here there x__ x__ ___ email ___ wellbeing'],
    ['C++ C++17 C# F#, a#b a++b', 'c_p_p c_p_p 17_ c_s f_s a__ b__ a__ b__'],
    ['me@example.com', 'me_ example com'],
    ['👩‍💻 🎉', ''],
    ['𠮷野家', '_20bb7野 野家_ 家__'],
    ['パス ﾊﾟｽ バス', 'パス_ ス__ パス_ ス__ バス_ ス__'],
    ['한국어', '한국_ 국어_ 어__'],
    ['한국', '한국_ 국__'],
    ['iPhone手机', 'iphone 手机_ 机__'],
    ["O'Reilly", 'o__ reilly ___ oreilly'],
    ["rock'n'roll, l’été", 'rock n__ roll l__ ete ___ rocknroll ___ lete'],
    ["'quoted' words", 'quoted words'],
  ])('of %j are %j', async (text, terms) => {
    expect(await indexText(text)).toBe(terms);
  });

  it('are the first 340,000, also where one letter stands for many words', async () => {
    const terms = (await indexText('ﷺ '.repeat(200_000))).split(' ');

    expect(terms).toHaveLength(340_000);
    expect(terms.slice(0, 4)).toEqual(terms.slice(4, 8));
  });

  it('are the first 50,000 that differ, and no phrase reaches over those left out', async () => {
    const words = Array.from({ length: 60_000 }, (_, n) => `w${100_000 + n}`);

    const terms = (await indexText(`${words.join(' ')} w100000 w100001 w159999`)).split(' ');

    expect(terms.slice(0, 50_000)).toEqual(words.slice(0, 50_000));
    expect(terms.slice(50_000)).toEqual(['___', 'w100000', 'w100001', '___']);
  });

  it('differ in as many joined forms as in other terms', async () => {
    const words = Array.from({ length: 60_000 }, (_, n) => `d'w${100_000 + n}`).join(' ');

    const terms = (await indexText(words)).split(' ');

    expect(new Set(terms).size).toBeLessThanOrEqual(50_001);
  });

  it('are cut at 80 characters', async () => {
    const term = await indexText('a'.repeat(120));

    expect(term).toBe('a'.repeat(80));
  });

  it('stand where the text has them', () => {
    const text = 'Řeč cafe\u0301 o 天気';

    const places = analyze(text).map(({ start, end }) => text.slice(start, end));

    expect(places).toEqual(['Řeč', 'cafe\u0301', 'o', '天気', '気']);
  });

  it('lie within the text, one after the other', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let previous = 0;
        for (const { term, start, end } of analyze(text)) {
          expect(start).toBeGreaterThanOrEqual(previous);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(term).toMatch(/^[\p{L}\p{N}_]{3,80}$/u);
          previous = start;
        }
      }),
    );
  });

  it('are the same for two texts as for both with a space between', () => {
    const runningTerms = (text: string) => analyze(text).map(({ term }) => term);

    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(runningTerms(`${a} ${b}`)).toEqual([...runningTerms(a), ...runningTerms(b)]);
      }),
    );
  });

  it('are the same however a text is composed', async () => {
    const cases = ['Číslo', 'Ελλάδα', 'Йод', 'パス', '한국어', 'हिन्दी', 'Việt'];

    for (const text of cases) {
      expect(await indexText(text.normalize('NFD'))).toBe(await indexText(text.normalize('NFC')));
    }
  });

  it('do not change when they are folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), (character) => {
        const folded = foldCharacter(character);

        expect(Array.from(folded, foldCharacter).join('')).toBe(folded);
      }),
      { numRuns: 2000 },
    );
  });

  it('of a pile of marks are those of the letters', async () => {
    expect(await indexText(`a${'\u0301\u0323'.repeat(200_000)}b`)).toBe('ab_');
  });
});

describe('the terms of a long text', () => {
  const LONG = 40_000;
  /** What is dear to analyse, or easily cut in the wrong place. */
  const pieces = [
    "o'n'",
    'C++ #',
    'e\u0301\u0302',
    '\u00AD',
    '漢',
    '한글',
    'ไทย',
    '\u{20BB7}',
    '\uD800',
    'x',
    'ab cd ',
  ];

  it.each(pieces)('are those of a text that is read at once: %j again and again', async (piece) => {
    const text = piece.repeat(Math.ceil(LONG / piece.length));

    expect((await indexText(text)) === termsOf(text)).toBe(true);
  });

  it('are those of a text that is read at once, whatever it holds', async () => {
    const part = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 5 }));
    const parts = fc.array(part, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(parts, async (some) => {
        const text = some
          .join('')
          .padEnd(1, 'x')
          .repeat(Math.ceil(LONG / Math.max(1, some.join('').length)));
        expect((await indexText(text)) === termsOf(text)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('let other work go on', async () => {
    const order: string[] = [];
    const terms = indexText('several words '.repeat(70_000)).then(() => order.push('terms'));
    setImmediate(() => order.push('other'));

    await terms;

    expect(order).toEqual(['other', 'terms']);
  });
});
