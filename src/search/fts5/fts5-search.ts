import type { ThreadFile } from '../../database/reading-threads/thread-connection.js';
import type { PlaceCount, SearchHit, SearchRequest, SearchResult } from '../search-index.js';
import { columnExpression, toFts5, expression } from '../text/analysis/fts5.js';
import type { Clause, SearchQuery } from '../text/queries/query.js';
import { Fts5Reads, type Part } from './fts5-reads.js';
import { StateCache } from '../state-cache.js';
import { visibleRows } from './visible-rows.js';
import { countedPhrases, MOST_CLAUSES, relevanceOf } from '../text/queries/relevance.js';
import { scoreOf } from '../text/queries/score.js';
import type { RowRange } from './row-ids.js';

/** Words of so many records, or more, are not weighed: FTS5 goes through all that have them. */
const FREQUENT = 100_000;
/** A phrase in so many times as many records as the rarest one of the query is not counted. */
const MOST_TIMES_THE_RAREST = 10;

/** Hits of a query with their scores: by parts in the title, then by parts in the terms, then by relevance. */
function ranked(reads: Fts5Reads, query: SearchQuery, part: Part): SearchHit[] {
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

/** Up to so many hits all are ranked; above, so many of the youngest, and as many with all words in title or terms. */
const WINDOW = 2_000;
/** Of {@link FREQUENT} hits none is ranked: so many with all words in the title come first, then as many in terms. */
const FREQUENT_WINDOW = 200;

/** The hits that come first. */
interface Window {
  readonly hits: readonly SearchHit[];
  /** How many of the youngest hits are among them, without a gap. */
  readonly youngest: number;
}

/** Numbers of hits in one state of the file. */
const totals = new StateCache<number>(1_000);
/** The same by type and status. */
const countsByPlace = new StateCache<readonly PlaceCount[]>(200);
/** All hits with their scores in one state of the file: two thousand of them take some 150 KB. */
const rankings = new StateCache<readonly SearchHit[]>(50);

/** One search in one state of the index. */
export class Fts5Search {
  private readonly expression: string;

  private constructor(
    private readonly reads: Fts5Reads,
    private readonly request: SearchRequest,
  ) {
    this.expression = toFts5(request.query);
  }

  static run(file: ThreadFile, request: SearchRequest): SearchResult {
    if (request.query.isEmpty) return { total: 0, hits: [], counts: [] };
    const visible = visibleRows(file, request.within);
    const search = new Fts5Search(new Fts5Reads(file, visible), request);
    const question = `${search.expression} in ${visible.name}`;
    const quick = request.isQuick === true ? search.quickHits() : null;
    if (quick) return { total: quick.length, hits: quick };
    const total = totals.of(file.state, question, () => search.reads.count(search.expression));
    const hits = search.hits(total, () => search.ranking(file.state, question));
    return { total, hits, ...search.counts(file) };
  }

  private counts(file: ThreadFile): Pick<SearchResult, 'counts'> {
    const { countedIn } = this.request;
    if (!countedIn) return {};
    const visible = visibleRows(file, countedIn);
    const question = `${this.expression} in ${visible.name}`;
    const count = () => new Fts5Reads(file, visible).counts(this.expression);
    return { counts: countsByPlace.of(file.state, question, count) };
  }

  /**
   * The youngest of very many hits with all words in the title. To look through all words that begin in some way takes
   * many times as long as to look through those of titles. `null`: there are not very many, or the words are complete.
   */
  private quickHits(): readonly SearchHit[] | null {
    const { query, offset, limit } = this.request;
    if (!query.clauses.some(isBeginning)) return null;
    const ids = this.reads.youngestAtOnce(columnExpression('title', query), FREQUENT_WINDOW);
    if (ids.length < Math.max(FREQUENT_WINDOW, offset + limit)) return null;
    return this.page(ids.map((id) => ({ id, score: 1 })));
  }

  /** Turning pages and asking again does not weigh the hits again, until something is written. */
  private ranking(state: string, question: string): readonly SearchHit[] {
    return rankings.of(state, question, () => ranked(this.reads, this.request.query, { ranges: this.reads.all }));
  }

  private hits(total: number, ranking: () => readonly SearchHit[]): readonly SearchHit[] {
    const { offset, limit } = this.request;
    if (offset >= total || limit === 0) return [];
    if (total <= WINDOW) return this.page(ranking());
    const window = total < FREQUENT ? this.rankedWindow() : this.listedWindow();
    const inWindow = this.page(window.hits);
    const missing = limit - inWindow.length;
    if (missing === 0) return inWindow;
    const rest = this.rest(window, Math.max(0, offset - window.hits.length), missing);
    return [...inWindow, ...rest.map((id) => ({ id, score: 0 }))];
  }

  /** The youngest hits with all words in the title, the youngest with all in the terms, and the youngest of all. */
  private rankedWindow(): Window {
    const { query } = this.request;
    const expressions = [columnExpression('title', query), columnExpression('terms', query), this.expression];
    const ids = new Set(expressions.flatMap((expression) => this.reads.youngest(expression, 0, WINDOW)));
    const among = [...ids].sort((a, b) => a - b);
    return { hits: ranked(this.reads, query, { ranges: this.reads.since(among[0] ?? 0), among }), youngest: WINDOW };
  }

  private listedWindow(): Window {
    const { query } = this.request;
    const titled = this.reads.youngest(columnExpression('title', query), 0, FREQUENT_WINDOW);
    const tagged = this.reads.youngest(columnExpression('terms', query), 0, FREQUENT_WINDOW);
    const hits = new Map(tagged.map((id) => [id, { id, score: 1 }]));
    for (const id of titled) hits.set(id, { id, score: 2 });
    return { hits: [...hits.values()], youngest: 0 };
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

  /** Hits that are not in the window, the youngest first. */
  private rest({ hits, youngest }: Window, offset: number, limit: number): readonly number[] {
    const older = hits
      .map(({ id }) => id)
      .toSorted((a, b) => b - a)
      .slice(youngest);
    const candidates = this.reads.youngest(this.expression, youngest + offset, limit + older.length);
    return withoutPassed(candidates, older).slice(0, limit);
  }
}

function isBeginning(clause: Clause): boolean {
  return clause.kind === 'any' ? clause.alternatives.some(isBeginning) : clause.isPrefix;
}

/**
 * Both lists descend. A candidate that stands `n` places behind the first one belongs to the page if no more than `n`
 * of the older ones stand before it, here or on earlier pages.
 */
function withoutPassed(candidates: readonly number[], older: readonly number[]): readonly number[] {
  let passed = 0;
  return candidates.filter((id, place) => {
    while ((older[passed] ?? 0) > id) passed += 1;
    return older[passed] !== id && place >= passed;
  });
}
