import type { SearchHit, SearchRequest, SearchResult } from '../search-index.js';
import { toFts5 } from '../text/fts5.js';
import { Fts5Reads } from './fts5-reads.js';
import type { Snapshot } from '../../database/reading-threads/reading-thread.js';
import type { Totals } from './totals.js';

/** Up to so many hits all are ranked; above, so many of the youngest, and as many that have the words in the title. */
const WINDOW = 1_000;
/** From so many hits on none is ranked: to weigh a word, FTS5 goes through all that have it. Titles come first then. */
const FREQUENT = 100_000;
const FREQUENT_WINDOW = 200;

/** The hits that come first. */
interface Window {
  readonly hits: readonly SearchHit[];
  /** How many of the youngest hits are among them, without a gap. */
  readonly youngest: number;
}

/** One search in one state of the index. */
export class Fts5Search {
  private readonly expression: string;

  private constructor(
    private readonly reads: Fts5Reads,
    private readonly request: SearchRequest,
  ) {
    this.expression = toFts5(request.query);
  }

  static async run(snapshot: Snapshot, totals: Totals, request: SearchRequest): Promise<SearchResult> {
    if (request.query.isEmpty) return { total: 0, hits: [] };
    const reads = await Fts5Reads.within(snapshot, request.within);
    const search = new Fts5Search(reads, request);
    const question = `${search.expression} in ${reads.name}`;
    const total = await totals.of(snapshot.state, question, () => reads.count(search.expression));
    return { total, hits: await search.hits(total) };
  }

  private async hits(total: number): Promise<SearchHit[]> {
    const { offset, limit } = this.request;
    if (offset >= total || limit === 0) return [];
    if (total <= WINDOW) return this.page(await this.reads.scored(this.expression));
    const window = total < FREQUENT ? await this.rankedWindow() : await this.titledWindow();
    const inWindow = await this.page(window.hits);
    const missing = limit - inWindow.length;
    if (missing === 0) return inWindow;
    const rest = await this.rest(window, Math.max(0, offset - window.hits.length), missing);
    return [...inWindow, ...rest.map((id) => ({ id, score: 0 }))];
  }

  /** The youngest hits that have the words in the title, and then the youngest of all. */
  private async rankedWindow(): Promise<Window> {
    const youngest = await this.scoredYoungest(this.expression);
    const titled = await this.scoredYoungest(this.inTitle());
    const others = without(youngest, new Set(titled.map(({ id }) => id)));
    // The expression of the title has more parts, so its scores are not to be compared with the others.
    const best = others.reduce((most, { score }) => Math.max(most, score), 0);
    const hits = [...titled.map(({ id, score }) => ({ id, score: score + best })), ...others];
    return { hits, youngest: WINDOW };
  }

  private async titledWindow(): Promise<Window> {
    const ids = await this.reads.youngest(this.inTitle(), 0, FREQUENT_WINDOW);
    return { hits: ids.map((id) => ({ id, score: 1 })), youngest: 0 };
  }

  private inTitle(): string {
    return `(title : (${this.expression})) AND (${this.expression})`;
  }

  private async scoredYoungest(expression: string): Promise<SearchHit[]> {
    const oldest = (await this.reads.youngest(expression, 0, WINDOW)).at(-1);
    return oldest === undefined ? [] : this.reads.scoredSince(expression, oldest);
  }

  /** The page of some hits by score; of equals the youngest first. */
  private async page(hits: readonly SearchHit[]): Promise<SearchHit[]> {
    const { offset, limit } = this.request;
    const sorted = hits.toSorted((a, b) => b.score - a.score);
    const page = sorted.slice(offset, offset + limit);
    const first = page[0]?.score ?? 0;
    const last = page.at(-1)?.score ?? 0;
    // Only those that stand level with a hit of the page have to be told apart.
    const before = sorted.findIndex(({ score }) => score === first);
    const level = sorted.filter(({ score }) => score <= first && score >= last);
    const times = await this.reads.times(level.map(({ id }) => id));
    const timeOf = ({ id }: SearchHit) => times.get(id) ?? 0;
    level.sort((a, b) => b.score - a.score || timeOf(b) - timeOf(a) || b.id - a.id);
    return level.slice(offset - before, offset - before + limit);
  }

  /** Hits that are not in the window, the youngest first. */
  private async rest({ hits, youngest }: Window, offset: number, limit: number): Promise<number[]> {
    const older = hits
      .map(({ id }) => id)
      .toSorted((a, b) => b - a)
      .slice(youngest);
    const candidates = await this.reads.youngest(this.expression, youngest + offset, limit + older.length);
    return withoutPassed(candidates, older).slice(0, limit);
  }
}

/**
 * Both lists descend. A candidate that stands `n` places behind the first one belongs to the page if no more than `n`
 * of the older ones stand before it, here or on earlier pages.
 */
function withoutPassed(candidates: readonly number[], older: readonly number[]): number[] {
  let passed = 0;
  return candidates.filter((id, place) => {
    while ((older[passed] ?? 0) > id) passed += 1;
    return older[passed] !== id && place >= passed;
  });
}

function without(hits: readonly SearchHit[], ids: ReadonlySet<number>): SearchHit[] {
  return hits.filter(({ id }) => !ids.has(id));
}
