import { Injectable } from '@nestjs/common';
import { nearestWord, type KnownWord } from '../../common/text/nearest-word.js';
import { KnownWords } from './known-words.js';
import { SearchIndex, type SearchedType } from '../search-index.js';
import { analyze } from '../text/analysis/analyzer.js';
import { parseQuery } from '../text/queries/query.js';

/** Each word costs a count, and one more for each candidate: 19 of them at most for a query. */
const MAX_WORDS = 3;
const MAX_CANDIDATES = 5;
const MIN_LETTERS = 4;

/** Finds what a query without any hit was probably meant to be. */
@Injectable()
export class Suggestions {
  constructor(
    private readonly index: SearchIndex,
    private readonly words: KnownWords,
  ) {}

  /**
   * The query with words that nothing was found for replaced by the nearest ones that something is found for, by this
   * very caller: a word that only others may see is never suggested. `null`: there is none, or it would find nothing.
   */
  async of(q: string, within: readonly SearchedType[]): Promise<string | null> {
    const tokens = analyze(q).filter(({ kind, term }) => kind === 'word' && term.length >= MIN_LETTERS);
    let suggestion = q;
    // From the end, so that the places of the others stay where they are.
    for (const { term, start, end } of tokens.slice(0, MAX_WORDS).toReversed()) {
      const word = q.slice(start, end);
      // Only the last word of a query may be the beginning of one.
      const mayGrow = q.slice(end).trim() === '';
      if ((await this.count(mayGrow ? word : `"${word}"`, within)) > 0) continue;
      const nearest = await this.nearest(term, within);
      if (nearest === null) return null;
      suggestion = suggestion.slice(0, start) + nearest + suggestion.slice(end);
    }
    return suggestion !== q && (await this.count(suggestion, within)) > 0 ? suggestion : null;
  }

  private async nearest(word: string, within: readonly SearchedType[]): Promise<string | null> {
    const visible: KnownWord[] = [];
    for (const term of closest(word, await this.words.near(word))) {
      const n = await this.count(`"${term}"`, within);
      if (n > 0) visible.push({ term, n });
    }
    return nearestWord(word, visible);
  }

  private async count(q: string, within: readonly SearchedType[]): Promise<number> {
    const { total } = await this.index.search({ query: parseQuery(q), within, offset: 0, limit: 0 });
    return total;
  }
}

/** The nearest words of some, the nearest first. Pairs of characters and padded words of the index are none. */
function closest(word: string, candidates: readonly string[]): string[] {
  const left = new Set(candidates.filter((term) => !term.includes('_')));
  const found: string[] = [];
  while (found.length < MAX_CANDIDATES) {
    const nearest = nearestWord(
      word,
      [...left].map((term) => ({ term, n: 1 })),
    );
    if (nearest === null) return found;
    found.push(nearest);
    left.delete(nearest);
  }
  return found;
}
