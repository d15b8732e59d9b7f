/**
 * Words that InnoDB leaves out of an index unless its session says otherwise, which the one that optimises a table or
 * loads a dump does not. Shorter ones are padded (`term.ts`), so they are none to it.
 */
const STOP_WORDS = [
  'about',
  'are',
  'com',
  'for',
  'from',
  'how',
  'that',
  'the',
  'this',
  'was',
  'what',
  'when',
  'where',
  'who',
  'will',
  'with',
  'und',
  'www',
] as const;

const IS_STOP_WORD: ReadonlySet<string> = new Set(STOP_WORDS);
const STOP_WORD = new RegExp(`(?<![^ ])(?:${STOP_WORDS.join('|')})(?![^ ])`, 'g');
const RESPELLED = new RegExp(`(?<![^ ])(${STOP_WORDS.join('|')})_(?![^ ])`, 'g');

export function isStopWord(term: string): boolean {
  return IS_STOP_WORD.has(term);
}

/** Terms, spelled so that InnoDB takes none of them for a stop word: `'all about it_'` -> `'all about_ it_'` */
export function withoutStopWords(terms: string): string {
  return terms.replace(STOP_WORD, '$&_');
}

/** Undoes {@link withoutStopWords}: no word ends with an underscore unless it is padded. `'all about_ it_'` -> `'all about it_'` */
export function withStopWords(terms: string): string {
  return terms.replace(RESPELLED, '$1');
}
