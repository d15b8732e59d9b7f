import type { StatusCount } from '../../content-types/store/type-usage.port.js';
import { type Reads, selectNumber } from '../../database/statements/reads.js';
import { placeholders, type Sql, joined } from '../../database/statements/statement.js';
import type { Status } from '../../content-types/definition/content-type.js';
import type { SearchHit, SearchRequest, SearchResult } from '../search-index.js';
import { scoreOf } from '../text/queries/relevance.js';
import { answered, byIndex, byLooking, relevance, visible } from './fulltext-conditions.js';
import type { Semaphore } from '../../common/concurrency/semaphore.js';
import type { DocumentChanges } from './document-changes.js';

interface HitRow {
  readonly id: number | string;
  readonly in_title: number | string;
  readonly in_terms: number | string;
  /** From 0 to 1. */
  readonly relevance: number | string;
}

/** Youngest rows that may be seen, from which the frequency of words is estimated. */
const SAMPLE = 200;
/** Rows of all ages and types, from which it is estimated too: the index finds all hits, before others are left out. */
const SPREAD = 100;
/** From this share of hits on it is faster to look at rows, the youngest first, than to ask the index for all hits. */
const FREQUENT = 0.05;
/** Hits of frequent words that are ranked: the youngest ones. */
const WINDOW = 200;
const BY_AGE = 'FORCE INDEX (i_search_documents_sort)';

/** Parts that all searches of an index have in common. */
export interface SearchParts {
  readonly reads: Reads;
  readonly changes: DocumentChanges;
  /** Bound for what goes through all rows. */
  readonly counts: Semaphore;
}

interface Estimate {
  /** True if a large share of what may be seen are hits. */
  readonly areMany: boolean;
  /** True if the index finds that many, however few of them may be seen; not asked if the youngest are hits. */
  readonly areEverywhere: boolean;
}

/** One search. What the index of InnoDB costs grows with the number of hits, however few of them are asked for. */
export class FulltextSearch {
  private readonly reads: Reads;
  private readonly scope: Sql;

  constructor(
    private readonly parts: SearchParts,
    private readonly request: SearchRequest,
  ) {
    this.reads = parts.reads;
    this.scope = visible(request.within);
  }

  async run(): Promise<SearchResult> {
    const { query, within, countedIn, isQuick } = this.request;
    if (query.isEmpty || within.length === 0) return { total: 0, hits: [], counts: [] };
    const estimate = await this.estimate();
    if (isQuick === true && estimate.areMany) return this.quick();
    const result = await this.page(estimate);
    if (!countedIn) return result;
    return { ...result, counts: await this.countsIn(visible(countedIn), estimate.areMany || estimate.areEverywhere) };
  }

  private async estimate(): Promise<Estimate> {
    const lately = await this.lately();
    if (lately === 'frequent') return { areMany: true, areEverywhere: false };
    const areEverywhere = await this.areFrequentEverywhere();
    return { areMany: areEverywhere && lately === 'rare', areEverywhere };
  }

  /** A page of hits that are not counted. */
  private async quick(): Promise<SearchResult> {
    const hits = await this.youngestRanked();
    return { total: hits.length, hits };
  }

  private async page({ areMany, areEverywhere }: Estimate): Promise<SearchResult> {
    const listed = areMany ? await this.listed() : null;
    if (listed) return listed;
    return areEverywhere ? this.parts.counts.run(() => this.sorted(true)) : this.sorted(false);
  }

  /** Hits that are so many that they are listed by age; `null`: there are not so many. */
  private async listed(): Promise<SearchResult | null> {
    const { offset, limit } = this.request;
    const { total, seen } = await this.parts.counts.run(() => this.countByLooking());
    // The youngest may have the words and the others not: looking at more rows would find hardly any then.
    if (total < seen * FREQUENT) return null;
    return { total, hits: offset >= total || limit === 0 ? [] : await this.youngestRanked() };
  }

  /** Number of hits of each type and status, by looking at the rows if the words are frequent. */
  private async countsIn(scope: Sql, isFrequent: boolean): Promise<readonly StatusCount[]> {
    const rows: Sql = { text: 'SELECT type_id, status FROM search_documents', values: [] };
    const { text, values } = await this.foundIn(scope, rows, isFrequent);
    const counted = await this.parts.counts.run(() =>
      this.reads.select<{ type_id: number | string; status: Status; n: number | string }>(
        `SELECT type_id, status, COUNT(*) AS n FROM (${text}) AS found GROUP BY type_id, status`,
        values,
      ),
    );
    return counted.map(({ type_id: typeId, status, n }) => ({ typeId: Number(typeId), status, n: Number(n) }));
  }

  private async areFrequentEverywhere(): Promise<boolean> {
    const last = await selectNumber(this.reads, 'SELECT MAX(record_id) AS n FROM search_documents');
    if (last < SPREAD) return false;
    const ids = Array.from({ length: SPREAD }, (_, n) => Math.ceil(((n + 1) * last) / SPREAD));
    const { text, values } = byLooking(this.request.query);
    const sql = `SELECT COUNT(*) AS n FROM search_documents WHERE record_id IN (${placeholders(ids)}) AND ${text}`;
    return (await selectNumber(this.reads, sql, [...ids, ...values])) >= SPREAD * FREQUENT;
  }

  /** The frequency of the words in the youngest rows; `few`: there are no others that may be seen. */
  private async lately(): Promise<'few' | 'rare' | 'frequent'> {
    const { text, values } = byLooking(this.request.query);
    const [row] = await this.reads.select<{ rows_seen: number | string; hits: number | string | null }>(
      `SELECT COUNT(*) AS rows_seen, SUM(${text}) AS hits FROM (
         SELECT title, terms, body FROM search_documents ${BY_AGE} WHERE ${this.scope.text}
          ORDER BY sort_at DESC, record_id DESC LIMIT ${SAMPLE}) AS sample`,
      [...values, ...this.scope.values],
    );
    if (Number(row?.rows_seen ?? 0) < SAMPLE) return 'few';
    return Number(row?.hits ?? 0) >= SAMPLE * FREQUENT ? 'frequent' : 'rare';
  }

  /** Number of rows that are hits, and of all that may be seen. */
  private async countByLooking(): Promise<{ readonly total: number; readonly seen: number }> {
    const { text, values } = byLooking(this.request.query);
    const [row] = await this.reads.select<{ seen: number | string; total: number | string | null }>(
      `SELECT COUNT(*) AS seen, SUM(${text}) AS total FROM search_documents WHERE ${this.scope.text}`,
      [...values, ...this.scope.values],
    );
    return { total: Number(row?.total ?? 0), seen: Number(row?.seen ?? 0) };
  }

  /** The page of all hits, the best first, sorted by the server. */
  private async sorted(isFrequent: boolean): Promise<SearchResult> {
    const { offset, limit } = this.request;
    const found = await this.foundIn(this.scope, this.rows(), isFrequent);
    const rows = await this.reads.select<HitRow & { total: number | string }>(
      `SELECT id, in_title, in_terms, relevance,
              COUNT(*) OVER () AS total FROM (${found.text}) AS found
        ORDER BY in_title DESC, in_terms DESC, relevance DESC, sort_at DESC, id DESC LIMIT ? OFFSET ?`,
      [...found.values, limit, offset],
    );
    const [first] = rows;
    if (first) return { total: Number(first.total), hits: rows.map((row) => this.hitOf(row)) };
    const count = `SELECT COUNT(*) AS n FROM (${found.text}) AS found`;
    return { total: await selectNumber(this.reads, count, found.values), hits: [] };
  }

  /**
   * Rows that the index finds, but documents that were changed lately are looked at. The index keeps new words in memory
   * and writes them to its tables from time to time: just then, for as long as that takes to be committed, the server
   * finds them in neither place.
   *
   * @param rows columns of documents
   * @param isFrequent the index is not asked at all
   */
  private async foundIn(scope: Sql, rows: Sql, isFrequent: boolean): Promise<Sql> {
    const { query } = this.request;
    if (isFrequent) return where(rows, byLooking(query), scope);
    const fresh = await this.parts.changes.fresh();
    if (fresh.length === 0) return where(rows, byIndex(query), scope);
    const others: Sql = { text: `record_id NOT IN (${placeholders(fresh)})`, values: fresh };
    const some: Sql = { text: `record_id IN (${placeholders(fresh)})`, values: fresh };
    const looked = where(rows, some, byLooking(query), scope);
    return joined([where(rows, byIndex(query), others, scope), looked], ' UNION ALL ');
  }

  private rows(): Sql {
    const weight = relevance(this.request.query);
    const columns = joined([{ text: 'record_id AS id, sort_at', values: [] }, this.answers(), weight], ', ');
    return { text: `SELECT ${columns.text} AS relevance FROM search_documents`, values: columns.values };
  }

  /** The best of the youngest hits first; behind them the others by age. */
  private async youngestRanked(): Promise<SearchHit[]> {
    const { query, offset, limit } = this.request;
    const condition = byLooking(query);
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
    return rows.map((row) => this.hitOf(row));
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

  private hitOf({ id, in_title: inTitle, in_terms: inTerms, relevance }: HitRow): SearchHit {
    const answered = { inTitle: Number(inTitle), inTerms: Number(inTerms), relevance: Number(relevance) };
    return { id: Number(id), score: scoreOf(answered, this.request.query.clauses.length) };
  }
}

function where({ text, values }: Sql, ...conditions: readonly Sql[]): Sql {
  const all = joined(conditions, ' AND ');
  return { text: `${text} WHERE ${all.text}`, values: [...values, ...all.values] };
}
