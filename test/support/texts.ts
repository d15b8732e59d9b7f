import fc from 'fast-check';

/** Texts as nasty as they come: every script, lone surrogates, piles of marks, and what this analyzer treats apart. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(
        "O'Reilly",
        'l’été',
        'C++',
        'c#',
        'a#b',
        '検索エンジン',
        'パス',
        'ﾊﾟｽ',
        '한국어',
        'ที่',
        '𠮷野家',
        ' ',
      ),
      fc.constantFrom(
        'e\u0301',
        'co\u00ADop',
        '👩‍💻',
        '½',
        '™',
        '_',
        '-',
        '"',
        '*',
        'Straße',
        'ё',
        'أ',
        '\u0301\u0323',
        '\ud83d',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
