import type { ThreadFile } from '../../database/reading-threads/thread-connection.js';
import type { PlaceCount, SearchHit, SearchRequest, SearchResult } from '../search-index.js';
import { columnExpression, toFts5 } from '../text/analysis/fts5.js';
import type { Clause } from '../text/queries/query.js';
import { Fts5Reads } from './fts5-reads.js';
import { FREQUENT, ranked } from './ranking.js';
import { StateCache } from '../state-cache.js';
import { visibleRows } from './visible-rows.js';

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
