/** What may stand between digits: blanks, dashes (also the minus, and the long vowel of Japanese keyboards), signs of no width. */
const BETWEEN = /[\s\p{Z}\p{Pd}\p{Cf}\u2212\u30fc]/gu;
/** Longer texts are no code, and not looked through. */
export const MAX_TYPED = 64;

/** The digits that a person means, in ASCII: `'１２３ – ٤٥٦'` -> `'123456'`. What is none stays as it is. */
export function typedCode(text: string): string {
  return text
    .normalize('NFKC')
    .replace(BETWEEN, '')
    .replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)));
}

/** Unicode has the digits of a script in one row, from zero to nine. */
function digitOf(digit: string): number {
  const place = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(place - before - 1))) before += 1;
  return before % 10;
}
