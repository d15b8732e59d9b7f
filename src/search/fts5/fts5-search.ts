import { LRUCache } from 'lru-cache';
import type { ThreadFile, ThreadProgram } from '../../database/reading-threads/thread-connection.js';
import type { SearchHit, SearchRequest, SearchResult } from '../search-index.js';
import { columnExpression, toFts5, expression } from '../text/analysis/fts5.js';
import type { Clause, SearchQuery } from '../text/queries/query.js';
import { Fts5Reads } from './fts5-reads.js';
import { countedPhrases, MOST_CLAUSES, relevanceOf, scoreOf } from '../text/queries/relevance.js';

/** Words of so many records, or more, are not weighed: FTS5 goes through all that have them. */
const FREQUENT = 100_000;
/** A phrase in so many times as many records as the rarest one of the query is not counted. */
const MOST_TIMES_THE_RAREST = 10;

/**
 * Hits of a query with their scores: by parts in the title, then by parts in the terms, then by relevance.
 *
 * @param among those that are ranked; without it all of them
 */
function ranked(reads: Fts5Reads, query: SearchQuery, among?: readonly number[]): SearchHit[] {
  const relevance = relevances(reads, query, among);
  const inTitle = answeredIn('title', reads, query, among);
  const inTerms = answeredIn('terms', reads, query, among);
  const clauses = query.clauses.length;
  return Array.from(relevance, ([id, relevance]) => ({
    id,
    score: scoreOf({ inTitle: inTitle.get(id) ?? 0, inTerms: inTerms.get(id) ?? 0, relevance }, clauses),
  }));
}

/** From 0 to 1, for each hit: the mean of its words and phrases. */
function relevances(reads: Fts5Reads, query: SearchQuery, among?: readonly number[]): ReadonlyMap<number, number> {
  const whole = toFts5(query);
  const phrases = countedPhrases(query).map(expression);
  const sums = new Map<number, number>();
  const addUp = (phrase: string, within?: readonly number[]): void => {
    for (const { id, weighted, length } of reads.occurrences(phrase, within)) {
      sums.set(id, (sums.get(id) ?? 0) + relevanceOf(weighted, length) / phrases.length);
    }
  };
  if (phrases.length === 1 && phrases[0] === whole) {
    addUp(whole, among);
    return sums;
  }
  const ids = among ?? reads.ids(whole);
  for (const id of ids) sums.set(id, 0);
  for (const phrase of rankingPhrases(reads, phrases)) addUp(phrase, ids);
  return sums;
}

/** Phrases that are not much more frequent than the rarest one, among what may be seen. */
function rankingPhrases(reads: Fts5Reads, phrases: readonly string[]): string[] {
  const counts = phrases.map((phrase) => reads.count(phrase));
  const most = Math.min(FREQUENT, MOST_TIMES_THE_RAREST * Math.min(...counts.filter((count) => count > 0)));
  return phrases.filter((_, index) => (counts[index] ?? 0) < most);
}

/** Number of parts of a query that a column of each hit answers. */
function answeredIn(
  column: 'title' | 'terms',
  reads: Fts5Reads,
  query: SearchQuery,
  among?: readonly number[],
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const clause of query.clauses.slice(0, MOST_CLAUSES)) {
    for (const id of reads.ids(columnExpression(column, query, [clause]), among)) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}

/** Up to so many hits all are ranked; above, so many of the youngest, and as many with all words in title or terms. */
const WINDOW = 2_000;
/** Hits that come first if there are {@link FREQUENT}, of which none is ranked: with all words in the title, then as many in terms. */
const FREQUENT_WINDOW = 200;

/** Results by the state of the file and the request: as long as nothing is written, what is asked again is the same. */
const results = new LRUCache<string, SearchResult>({ max: 1_000 });

/** Runs in a reading thread: a search is one message there and one back. */
export const run: ThreadProgram<SearchRequest, SearchResult> = (file, request) => {
  const key = `${file.state} ${JSON.stringify(request)}`;
  const result = results.get(key) ?? new Fts5Search(file, request).result();
  results.set(key, result);
  return result;
};

/** One search in one state of the index. */
class Fts5Search {
  private readonly expression: string;
  private readonly reads: Fts5Reads;

  constructor(
    private readonly file: ThreadFile,
    private readonly request: SearchRequest,
  ) {
    this.expression = toFts5(request.query);
    this.reads = new Fts5Reads(file, request.within);
  }

  result(): SearchResult {
    const { query, isQuick, countedIn } = this.request;
    if (query.isEmpty) return { total: 0, hits: [], counts: [] };
    const quick = isQuick === true ? this.quickHits() : null;
    if (quick) return { total: quick.length, hits: quick };
    const total = this.reads.count(this.expression);
    const found = { total, hits: this.hits(total) };
    return countedIn ? { ...found, counts: new Fts5Reads(this.file, countedIn).counts(this.expression) } : found;
  }

  /**
   * The youngest of very many hits with all words in the title. To look through all words that begin in some way takes
   * many times as long as to look through those of titles. `null`: there are not very many, or the words are complete.
   */
  private quickHits(): readonly SearchHit[] | null {
    const { query, offset, limit } = this.request;
    if (!query.clauses.some(isBeginning)) return null;
    const ids = this.reads.youngest(columnExpression('title', query), FREQUENT_WINDOW);
    if (ids.length < Math.max(FREQUENT_WINDOW, offset + limit)) return null;
    return this.page(ids.map((id) => ({ id, score: 1 })));
  }

  private hits(total: number): readonly SearchHit[] {
    const { query, offset, limit } = this.request;
    if (offset >= total || limit === 0) return [];
    if (total <= WINDOW) return this.page(ranked(this.reads, query));
    const first = total < FREQUENT ? this.rankedWindow() : this.listedWindow();
    const inWindow = this.page(first);
    const rest = this.reads.youngest(
      this.expression,
      limit - inWindow.length,
      Math.max(0, offset - first.length),
      first.map(({ id }) => id),
    );
    return [...inWindow, ...rest.map((id) => ({ id, score: 0 }))];
  }

  /** The youngest hits with all words in the title, the youngest with all in the terms, and the youngest of all. */
  private rankedWindow(): readonly SearchHit[] {
    const { query } = this.request;
    const expressions = [columnExpression('title', query), columnExpression('terms', query), this.expression];
    const ids = new Set(expressions.flatMap((expression) => this.reads.youngest(expression, WINDOW)));
    return ranked(this.reads, query, [...ids]);
  }

  private listedWindow(): readonly SearchHit[] {
    const { query } = this.request;
    const titled = this.reads.youngest(columnExpression('title', query), FREQUENT_WINDOW);
    const tagged = this.reads.youngest(columnExpression('terms', query), FREQUENT_WINDOW);
    const hits = new Map(tagged.map((id) => [id, { id, score: 1 }]));
    for (const id of titled) hits.set(id, { id, score: 2 });
    return [...hits.values()];
  }

  /** The page of some hits by score; of equals the youngest first. */
  private page(hits: readonly SearchHit[]): readonly SearchHit[] {
    const { offset, limit } = this.request;
    const sorted = hits.toSorted((a, b) => b.score - a.score);
    const page = sorted.slice(offset, offset + limit);
    const first = page[0]?.score ?? 0;
    const last = page.at(-1)?.score ?? 0;
    // Only those with the score of a hit of the page need an order among them.
    const before = sorted.findIndex(({ score }) => score === first);
    const level = sorted.filter(({ score }) => score <= first && score >= last);
    const times = this.reads.timesOf(level.map(({ id }) => id));
    const timeOf = ({ id }: SearchHit) => times.get(id) ?? 0;
    level.sort((a, b) => b.score - a.score || timeOf(b) - timeOf(a) || b.id - a.id);
    return level.slice(offset - before, offset - before + limit);
  }
}

function isBeginning(clause: Clause): boolean {
  return clause.kind === 'any' ? clause.alternatives.some(isBeginning) : clause.isPrefix;
}
