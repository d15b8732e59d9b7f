import type { SearchHit } from '../search-index.js';
import { scoreOf } from '../text/score.js';
import { columnExpression, toFts5 } from '../text/fts5.js';
import type { SearchQuery } from '../text/query.js';
import type { Fts5Reads } from './fts5-reads.js';
import type { RowRange } from './row-ids.js';

/** Of more parts of a query it is not looked in which columns each of them stands. */
const MOST_CLAUSES = 16;

/** Hits of an expression with their scores: by parts in the title, then by parts in the terms, then by relevance. */
export function ranked(
  reads: Fts5Reads,
  query: SearchQuery,
  ranges: readonly RowRange[],
  expression = toFts5(query),
): SearchHit[] {
  const scored = reads.scored(expression, ranges);
  const inTitle = answeredIn('title', reads, query, ranges);
  const inTerms = answeredIn('terms', reads, query, ranges);
  const best = scored.reduce((most, [, relevance]) => Math.max(most, relevance), 0);
  const clauses = query.clauses.length;
  return scored.map(([id, relevance]) => ({
    id,
    score: scoreOf(
      { inTitle: inTitle.get(id) ?? 0, inTerms: inTerms.get(id) ?? 0, relevance: best > 0 ? relevance / best : 0 },
      clauses,
    ),
  }));
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
