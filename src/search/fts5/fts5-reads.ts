import type { ThreadFile } from '../../database/reading-threads/thread-file.js';
import type { SqlValue } from '../../database/statement.js';
import { ID_MASK, rangeCondition, sinceId, type RowRange } from './row-ids.js';
import { unionAll } from './union-all.js';
import type { VisibleRows } from './visible-rows.js';

/** A record, and how well it answers; to be compared with hits of the same expression only. */
export type Scored = readonly [id: number, relevance: number];

type Numbers = readonly number[];

/** What the words weigh in title, terms and body, among hits that have equally many of them in title and terms. */
const RELEVANCE = '-bm25(search_index, 10.0, 4.0, 1.0)';
const ID = `rowid & ${ID_MASK} AS id`;

/** What can be asked of the part of the index that may be seen. */
export class Fts5Reads {
  /** @param times a statement that tells when records were published, or made: `id` and `at` */
  constructor(
    private readonly file: ThreadFile,
    private readonly visible: VisibleRows,
    private readonly times: string,
  ) {}

  /** Everything that may be seen. */
  get all(): readonly RowRange[] {
    return this.visible.joined;
  }

  /** What may be seen of records with an id from one up. */
  since(id: number): readonly RowRange[] {
    return this.visible.partitions.map((range) => sinceId(range, id)).filter((range) => range !== null);
  }

  count(expression: string): number {
    return this.each(this.all, 'COUNT(*)', expression).reduce((sum, [n = 0]) => sum + n, 0);
  }

  /** Hits with their relevance, in no particular order. */
  scored(expression: string, ranges: readonly RowRange[]): readonly Scored[] {
    return this.each(ranges, `${ID}, ${RELEVANCE}`, expression).map(([id = 0, relevance = 0]) => [id, relevance]);
  }

  ids(expression: string, ranges: readonly RowRange[]): readonly number[] {
    return this.each(ranges, ID, expression).map(([id = 0]) => id);
  }

  /** Ids of hits, the youngest record first. */
  youngest(expression: string, offset: number, limit: number): readonly number[] {
    if (this.visible.partitions.length === 0) return [];
    const most = offset + limit;
    const parts = this.visible.partitions.map((range) => {
      const { text, values } = rangeCondition(range);
      return {
        text: `SELECT * FROM (SELECT ${ID} FROM search_index WHERE search_index MATCH ?${text} ORDER BY rowid DESC LIMIT ?)`,
        values: [expression, ...values, most],
      };
    });
    const sql = `SELECT id FROM (${unionAll(parts.map(({ text }) => text))}) ORDER BY id DESC LIMIT ? OFFSET ?`;
    return this.rows(sql, [...parts.flatMap(({ values }) => values), limit, offset]).map(([id = 0]) => id);
  }

  /** When records were published, or made, by id. */
  timesOf(ids: readonly number[]): ReadonlyMap<number, number> {
    const sql = `${this.times} WHERE id IN (SELECT value FROM json_each(?))`;
    return new Map(this.rows(sql, [JSON.stringify(ids)]).map(([id = 0, at = 0]) => [id, at]));
  }

  private each(ranges: readonly RowRange[], columns: string, expression: string): readonly Numbers[] {
    if (ranges.length === 0) return [];
    const conditions = ranges.map(rangeCondition);
    return this.rows(
      unionAll(conditions.map(({ text }) => `SELECT ${columns} FROM search_index WHERE search_index MATCH ?${text}`)),
      conditions.flatMap(({ values }): SqlValue[] => [expression, ...values]),
    );
  }

  private rows(sql: string, values: readonly SqlValue[]): readonly Numbers[] {
    const rows = this.file
      .prepare(sql)
      .raw()
      .all(...values);
    // All columns that are asked for here are numbers.
    return rows as Numbers[];
  }
}
