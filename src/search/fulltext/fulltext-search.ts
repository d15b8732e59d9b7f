import type { Reads } from '../../database/reads.js';
import type { SearchHit, SearchRequest, SearchResult } from '../search-index.js';
import type { Totals } from '../totals.js';
import { answered, byIndex, byLooking, relevance, visible, type Sql } from './fulltext-conditions.js';

interface HitRow {
  readonly id: number | string;
  readonly in_title: number | string;
  readonly in_terms: number | string;
  readonly relevance: number | string;
}

/** So many of the youngest rows tell how frequent the words are. */
const SAMPLE = 200;
/** From this share of hits on it is faster to look at rows, the youngest first, than to ask the index for all hits. */
const FREQUENT = 0.05;
/** Hits of frequent words that are ranked: the youngest ones. */
const WINDOW = 200;
const BY_AGE = 'FORCE INDEX (i_search_documents_sort)';

/** One search. What the index of InnoDB costs grows with the number of hits, however few of them are asked for. */
export class FulltextSearch {
  private readonly scope: Sql;

  constructor(
    private readonly reads: Reads,
    private readonly totals: Totals,
    private readonly request: SearchRequest,
  ) {
    this.scope = visible(request.within);
  }

  async run(): Promise<SearchResult> {
    const { query, within, offset, limit } = this.request;
    if (query.isEmpty || within.length === 0) return { total: 0, hits: [] };
    const isFrequent = await this.isFrequent();
    const condition = isFrequent ? byLooking(query) : byIndex(query);
    const total = await this.total(condition);
    if (offset >= total || limit === 0) return { total, hits: [] };
    return { total, hits: isFrequent ? await this.youngestRanked(condition) : await this.ranked(condition) };
  }

  private async isFrequent(): Promise<boolean> {
    const { text, values } = byLooking(this.request.query);
    const [row] = await this.reads.select<{ rows_seen: number | string; hits: number | string | null }>(
      `SELECT COUNT(*) AS rows_seen, SUM(${text}) AS hits FROM (
         SELECT title, terms, body FROM search_documents ${BY_AGE} WHERE ${this.scope.text}
          ORDER BY sort_at DESC, record_id DESC LIMIT ${SAMPLE}) AS sample`,
      [...values, ...this.scope.values],
    );
    const isLargeEnough = Number(row?.rows_seen ?? 0) === SAMPLE;
    return isLargeEnough && Number(row?.hits ?? 0) >= SAMPLE * FREQUENT;
  }

  private async total({ text, values }: Sql): Promise<number> {
    const [state] = await this.reads.select<Record<string, unknown>>(
      'SELECT COUNT(*) AS n, MAX(id) AS last, SUM(id) AS ids FROM search_changes',
    );
    const question = JSON.stringify([text, values, this.scope]);
    return this.totals.of(JSON.stringify(state), question, async () => {
      const [row] = await this.reads.select<{ n: number | string }>(
        `SELECT COUNT(*) AS n FROM search_documents WHERE ${text} AND ${this.scope.text}`,
        [...values, ...this.scope.values],
      );
      return Number(row?.n ?? 0);
    });
  }

  /** All hits, the best first. */
  private async ranked({ text, values }: Sql): Promise<SearchHit[]> {
    const { query, offset, limit } = this.request;
    const score = relevance(query);
    const answers = this.answers();
    const rows = await this.reads.select<HitRow>(
      `SELECT record_id AS id, ${answers.text}, ${score.text} AS relevance FROM search_documents
        WHERE ${text} AND ${this.scope.text}
        ORDER BY in_title DESC, in_terms DESC, relevance DESC, sort_at DESC, record_id DESC LIMIT ? OFFSET ?`,
      [...answers.values, ...score.values, ...values, ...this.scope.values, limit, offset],
    );
    return rows.map(hitOf);
  }

  /** The best of the youngest hits first; behind them the others by age. */
  private async youngestRanked(condition: Sql): Promise<SearchHit[]> {
    const { offset, limit } = this.request;
    const window = offset < WINDOW ? await this.byAge(condition, 0, WINDOW) : [];
    const inWindow = window.toSorted((a, b) => b.score - a.score).slice(offset, offset + limit);
    const missing = limit - inWindow.length;
    if (missing === 0) return inWindow;
    const rest = await this.byAge(condition, Math.max(WINDOW, offset), missing);
    return [...inWindow, ...rest.map(({ id }) => ({ id, score: 0 }))];
  }

  private async byAge({ text, values }: Sql, offset: number, limit: number): Promise<SearchHit[]> {
    const answers = this.answers();
    const rows = await this.reads.select<HitRow>(
      `SELECT record_id AS id, ${answers.text}, 0 AS relevance FROM search_documents ${BY_AGE}
        WHERE ${this.scope.text} AND ${text} ORDER BY sort_at DESC, record_id DESC LIMIT ? OFFSET ?`,
      [...answers.values, ...this.scope.values, ...values, limit, offset],
    );
    return rows.map(hitOf);
  }

  private answers(): Sql {
    const { clauses } = this.request.query;
    const title = answered(clauses, 'title');
    const terms = answered(clauses, 'terms');
    return {
      text: `(${title.text}) AS in_title, (${terms.text}) AS in_terms`,
      values: [...title.values, ...terms.values],
    };
  }
}

/** One number in the order of title, terms and relevance, of which the last has no upper bound by itself. */
function hitOf({ id, in_title: title, in_terms: terms, relevance: score }: HitRow): SearchHit {
  const bounded = Number(score) / (Number(score) + 1);
  return { id: Number(id), score: Number(title) * 1_000 + Number(terms) * 2 + bounded };
}
