import type { SearchHit } from '../search-index.js';
import { columnExpression, expression, toFts5 } from '../text/analysis/fts5.js';
import type { SearchQuery } from '../text/queries/query.js';
import { countedPhrases, MOST_CLAUSES, relevanceOf } from '../text/queries/relevance.js';
import { scoreOf } from '../text/queries/score.js';
import type { Fts5Reads, Part } from './fts5-reads.js';
import type { RowRange } from './row-ids.js';

/** Words of so many records, or more, are not weighed: FTS5 goes through all that have them. */
export const FREQUENT = 100_000;
/** A phrase in so many times as many records as the rarest one of the query is not counted. */
const MOST_TIMES_THE_RAREST = 10;

/** Hits of a query with their scores: by parts in the title, then by parts in the terms, then by relevance. */
export function ranked(reads: Fts5Reads, query: SearchQuery, part: Part): SearchHit[] {
  const relevance = relevances(reads, query, part);
  const inTitle = answeredIn('title', reads, query, part.ranges);
  const inTerms = answeredIn('terms', reads, query, part.ranges);
  const clauses = query.clauses.length;
  return Array.from(relevance, ([id, relevance]) => ({
    id,
    score: scoreOf({ inTitle: inTitle.get(id) ?? 0, inTerms: inTerms.get(id) ?? 0, relevance }, clauses),
  }));
}

/** From 0 to 1, for each hit: the mean of its words and phrases. */
function relevances(reads: Fts5Reads, query: SearchQuery, part: Part): ReadonlyMap<number, number> {
  const whole = toFts5(query);
  const phrases = countedPhrases(query).map(expression);
  const sums = new Map<number, number>();
  const addUp = (phrase: string, within: Part): void => {
    for (const { id, weighted, length } of reads.occurrences(phrase, within)) {
      sums.set(id, (sums.get(id) ?? 0) + relevanceOf(weighted, length) / phrases.length);
    }
  };
  if (phrases.length === 1 && phrases[0] === whole) {
    addUp(whole, part);
    return sums;
  }
  const among = part.among ?? reads.ids(whole, part.ranges);
  for (const id of among) sums.set(id, 0);
  for (const phrase of rankingPhrases(reads, phrases)) addUp(phrase, { ranges: part.ranges, among });
  return sums;
}

/** Phrases that are not much more frequent than the rarest one, among what may be seen. */
function rankingPhrases(reads: Fts5Reads, phrases: readonly string[]): string[] {
  const counts = phrases.map((phrase) => reads.count(phrase));
  const most = Math.min(FREQUENT, MOST_TIMES_THE_RAREST * Math.min(...counts.filter((count) => count > 0)));
  return phrases.filter((_, index) => (counts[index] ?? 0) < most);
}

/** How many parts of a query a column of each hit answers. */
function answeredIn(
  column: 'title' | 'terms',
  reads: Fts5Reads,
  query: SearchQuery,
  ranges: readonly RowRange[],
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const clause of query.clauses.slice(0, MOST_CLAUSES)) {
    for (const id of reads.ids(columnExpression(column, query, [clause]), ranges)) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}
