/** InnoDB drops words of more than 84 characters, so longer ones are found by their head. */
export const MAX_TERM_LENGTH = 80;
/** InnoDB drops words shorter than this. No word has an underscore, so the padding cannot be mistaken for one. */
const PADDING = '___';
const UNDERSCORE = 0x5f;

/** A word as engines keep it: neither too long nor too short for any. `'st'` -> `'st_'` */
export function toTerm(word: string): string {
  if (word.length < PADDING.length) return word + PADDING.slice(word.length);
  return word.length > MAX_TERM_LENGTH ? word.slice(0, MAX_TERM_LENGTH) : word;
}

/** `'st_'` -> `'st'`, with which all words begin that begin so. */
export function withoutPadding(term: string): string {
  let end = term.length;
  while (term.charCodeAt(end - 1) === UNDERSCORE) end--;
  return term.slice(0, end);
}
