/**
 * Words that InnoDB leaves out of an index unless its session says otherwise, which the one that optimises a table or
 * loads a dump does not. Shorter ones are padded (`term.ts`), so they are none to it.
 */
const STOP_WORDS = 'about are com for from how that the this was what when where who will with und www'.split(' ');

const STOP_WORD = new RegExp(`(?<![^ ])(?:${STOP_WORDS.join('|')})(?![^ ])`, 'g');

/** Terms, spelled so that InnoDB takes none of them for a stop word: `'all about it_'` -> `'all about_ it_'` */
export function withoutStopWords(terms: string): string {
  return terms.replace(STOP_WORD, '$&_');
}
