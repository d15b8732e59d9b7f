import type { SearchedType, SearchHit } from '../search-index.js';
import type { SqlValue } from '../../database/statement.js';
import type { Snapshot } from '../../database/reading-threads/reading-thread.js';
import { gapsOf, ID_MASK, joinedRanges, rangeCondition, sinceId, visibleRanges, type RowRange } from './row-ids.js';

/** SQLite joins at most 500 selects at one level. */
const SELECTS = 200;
/**
 * Weights of title, terms and body. The score of a word has an upper bound, to which a weight brings it close: a word
 * in the title counts for more than any number of the same word in the body.
 */
const SCORE = '-bm25(search_index, 1000.0, 40.0, 1.0) AS score';
const ID = `rowid & ${ID_MASK} AS id`;

/** What can be asked of the part of the index that may be seen. */
export class Fts5Reads {
  private constructor(
    private readonly snapshot: Snapshot,
    /** One for each type and status that is there: ids in them are in order. */
    private readonly partitions: readonly RowRange[],
    /** The same in as few ranges as possible. */
    private readonly joined: readonly RowRange[],
  ) {}

  static async within(snapshot: Snapshot, within: readonly SearchedType[]): Promise<Fts5Reads> {
    const asked = visibleRanges(within);
    const isThere = await areThere(snapshot, asked);
    const partitions = asked.filter((_, index) => isThere[index]);
    const gaps = await areThere(snapshot, gapsOf(partitions));
    return new Fts5Reads(
      snapshot,
      partitions,
      joinedRanges(
        partitions,
        gaps.map((has) => !has),
      ),
    );
  }

  /** The same part of the index always has the same name. */
  get name(): string {
    return this.joined.map(({ from, to }) => `${from}-${to}`).join(' ');
  }

  async count(expression: string): Promise<number> {
    const rows = await this.each<{ n: number }>(this.joined, 'COUNT(*) AS n', expression);
    return rows.reduce((sum, { n }) => sum + n, 0);
  }

  /** All hits with their scores, in no particular order. */
  scored(expression: string): Promise<SearchHit[]> {
    return this.each(this.joined, `${ID}, ${SCORE}`, expression);
  }

  /** {@link scored}, of records with an id from one up. */
  scoredSince(expression: string, id: number): Promise<SearchHit[]> {
    const ranges = this.partitions.map((range) => sinceId(range, id)).filter((range) => range !== null);
    return this.each(ranges, `${ID}, ${SCORE}`, expression);
  }

  /** Ids of hits, the youngest record first. */
  async youngest(expression: string, offset: number, limit: number): Promise<number[]> {
    const most = offset + limit;
    const parts = this.partitions.map((range) => {
      const { text, values } = rangeCondition(range);
      return {
        text: `SELECT * FROM (SELECT ${ID} FROM search_index WHERE search_index MATCH ?${text} ORDER BY rowid DESC LIMIT ?)`,
        values: [expression, ...values, most],
      };
    });
    const rows = await this.snapshot.select<{ id: number }>(
      `SELECT id FROM (${union(parts.map(({ text }) => text))}) ORDER BY id DESC LIMIT ? OFFSET ?`,
      [...parts.flatMap(({ values }) => values), limit, offset],
    );
    return rows.map(({ id }) => id);
  }

  /** When records were published, or made, by id. */
  async times(ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = await this.snapshot.select<{ id: number; at: number }>(
      `SELECT id, COALESCE(published_at, created_at) AS at FROM records
        WHERE id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(ids)],
    );
    return new Map(rows.map(({ id, at }) => [id, at]));
  }

  private each<Row>(ranges: readonly RowRange[], columns: string, expression: string): Promise<Row[]> {
    if (ranges.length === 0) return Promise.resolve([]);
    const conditions = ranges.map(rangeCondition);
    return this.snapshot.select<Row>(
      union(conditions.map(({ text }) => `SELECT ${columns} FROM search_index WHERE search_index MATCH ?${text}`)),
      conditions.flatMap(({ values }): SqlValue[] => [expression, ...values]),
    );
  }
}

/** Whether there is anything in the index, for each of some ranges. */
async function areThere(snapshot: Snapshot, ranges: readonly RowRange[]): Promise<boolean[]> {
  if (ranges.length === 0) return [];
  const rows = await snapshot.select<{ has: number }>(
    union(ranges.map(() => 'SELECT EXISTS (SELECT 1 FROM search_index_docsize WHERE id BETWEEN ? AND ?) AS has')),
    ranges.flatMap(({ from, to }) => [from, to]),
  );
  return rows.map(({ has }) => has === 1);
}

function union(selects: readonly string[]): string {
  const groups: string[] = [];
  for (let start = 0; start < selects.length; start += SELECTS) {
    const group = selects.slice(start, start + SELECTS).join(' UNION ALL ');
    groups.push(selects.length > SELECTS ? `SELECT * FROM (${group})` : group);
  }
  return groups.join(' UNION ALL ');
}
