const MARKS = /\p{M}+/gu;

/** Latin letters that are no letter with a mark to Unicode, as people look for them. */
export const LATIN_FORMS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
};
const LATIN = new RegExp(`[${Object.keys(LATIN_FORMS).join('')}]`, 'g');

/** A text as people compare it: without case and without marks. `'Čas & Łódź'` -> `'cas & lodz'` */
export function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(MARKS, '').toLowerCase();
  return plain.replace(LATIN, (letter) => LATIN_FORMS[letter] ?? letter);
}

const SORT_KEY_LENGTH = 64;

/** The folded head of a text, by which lists are sorted. `'Émile'` -> `'emile'` */
export function sortKey(text: string): string {
  return head(fold(text), SORT_KEY_LENGTH);
}

/** At most so many code points of a text, without a trailing space that some databases would ignore. */
export function head(text: string, length: number): string {
  const cut =
    text.length <= length
      ? text
      : Array.from(text.slice(0, length * 2))
          .slice(0, length)
          .join('');
  return cut.trimEnd();
}
