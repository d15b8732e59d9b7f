import type { StatusCount } from '../../content-types/store/type-usage.port.js';
import type { ThreadFile } from '../../database/reading-threads/thread-connection.js';
import type { SqlValue } from '../../database/statements/statement.js';
import type { SearchedType } from '../search-index.js';
import { ID_MASK, PARTITION, partitionOf, VISIBLE, visibleValues } from './row-ids.js';
import { COLUMN_WEIGHTS as WEIGHTS, LENGTH_SHARE, SATURATION } from '../text/queries/relevance.js';

const MORE = 0x80;
const REST = 0x7f;

/** Numbers as SQLite packs them in the tables of an index: seven bits in a byte, the highest first. */
export function varints(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * MORE + (byte & REST);
    if ((byte & MORE) !== 0) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}

/** The sum of {@link varints}. */
export function sumOfVarints(bytes: Uint8Array): number {
  return varints(bytes).reduce((sum, number) => sum + number, 0);
}

/**
 * Number of times that a word stands in a document, out of what `bm25` of FTS5 says of it. For one word that is
 * `idf * (k1 + 1) * n / (n + k1 * (1 - b + b * length / average))`, where `idf` and the average depend on all documents
 * of the index. Divided by the same with endlessly many occurrences it no longer has an `idf`; with the average that
 * was used, `n` is what remains.
 *
 * @param share of what it would be with endlessly many occurrences
 * @param relativeLength of the document, by the average of all
 * @see https://www.sqlite.org/fts5.html#the_bm25_function
 */
export function weightedOccurrences(share: number, relativeLength: number): number {
  const damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relativeLength);
  // Weights are whole, so what lies beside a whole number is an error of computing.
  return Math.round((damping * share) / (1 - share));
}

type Numbers = readonly number[];

/** Number of times that one part of a query stands in a record. */
export interface Occurrences {
  readonly id: number;
  /** Each occurrence weighs by its column. */
  readonly weighted: number;
  /** Length of the whole record, in words. */
  readonly length: number;
}

/** No occurrence is more than this. */
const SATURATING = '1e30';
const ID = `rowid & ${ID_MASK} AS id`;
/** The second one is what the first would be with endless occurrences. */
const BM25 = `bm25(search_index, ${WEIGHTS.title}, ${WEIGHTS.terms}, ${WEIGHTS.body}) AS found,
  bm25(search_index, ${SATURATING}, ${SATURATING}, ${SATURATING}) AS most`;
const SIZES = '(SELECT sz FROM search_index_docsize AS sizes WHERE sizes.id = search_index.rowid) AS sizes';

interface Narrowing {
  readonly among?: readonly number[] | undefined;
  /** SQL behind the condition, with its values. */
  readonly tail?: string;
  readonly values?: readonly SqlValue[];
}

/** Questions to the part of the index that may be seen. */
export class Fts5Reads {
  private readonly visible: readonly SqlValue[];

  constructor(
    private readonly file: ThreadFile,
    within: readonly SearchedType[],
  ) {
    this.visible = visibleValues(within);
  }

  count(expression: string): number {
    const [[n = 0] = []] = this.hits('COUNT(*)', expression);
    return n;
  }

  /** Number of hits of each type and status. */
  counts(expression: string): readonly StatusCount[] {
    return this.hits(`${PARTITION} AS part, COUNT(*)`, expression, { tail: 'GROUP BY part' }).flatMap(
      ([part = 0, n = 0]) => {
        const found = partitionOf(part);
        return found ? [{ ...found, n }] : [];
      },
    );
  }

  /**
   * Number of times that one word or phrase stands in records, in no particular order. Neither the number of hidden records nor
   * anything that stands in them changes a result, though both are part of what `bm25` says.
   *
   * @param expression of one phrase: `bm25` adds up several
   * @param among which of the records; without it all that are hits
   */
  occurrences(expression: string, among?: readonly number[]): readonly Occurrences[] {
    const { averageLength } = this;
    return this.hits(`${ID}, ${BM25}, ${SIZES}`, expression, { among }).map((row) => {
      // The columns that were asked for.
      const [id, found, most, sizes] = row as unknown as [number, number, number, Uint8Array];
      const length = sumOfVarints(sizes);
      return { id, weighted: weightedOccurrences(found / most, length / averageLength), length };
    });
  }

  /** @param among see {@link occurrences} */
  ids(expression: string, among?: readonly number[]): readonly number[] {
    return this.hits(ID, expression, { among }).map(([id = 0]) => id);
  }

  /** Ids of hits, the youngest record first. @param except records that are left out */
  youngest(expression: string, limit: number, offset = 0, except: readonly number[] = []): readonly number[] {
    const tail = `AND (rowid & ${ID_MASK}) NOT IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ? OFFSET ?`;
    const values = [JSON.stringify(except), limit, offset];
    return this.hits(ID, expression, { tail, values }).map(([id = 0]) => id);
  }

  /** Times at which records were published, or made, by id. */
  timesOf(ids: readonly number[]): ReadonlyMap<number, number> {
    const sql = `SELECT id, COALESCE(published_at, created_at) AS at FROM records
      WHERE id IN (SELECT value FROM json_each(?))`;
    return new Map(this.rows(sql, [JSON.stringify(ids)]).map(([id = 0, at = 0]) => [id, at]));
  }

  /** The average of all records, hidden ones too, with which `bm25` compares lengths. */
  private get averageLength(): number {
    const block = this.file.prepare('SELECT block FROM search_index_data WHERE id = 1').raw().get();
    const [rows = 0, ...words] = varints((block as [Uint8Array])[0]);
    return words.reduce((sum, n) => sum + n, 0) / rows;
  }

  private hits(
    columns: string,
    expression: string,
    { among, tail = '', values = [] }: Narrowing = {},
  ): readonly Numbers[] {
    // FTS5 would begin anew for each id if it could see that these are row ids.
    const isAmong = among ? ` AND (rowid & ${ID_MASK}) IN (SELECT value FROM json_each(?))` : '';
    const ids = among ? [JSON.stringify(among)] : [];
    return this.rows(
      `SELECT ${columns} FROM search_index WHERE search_index MATCH ? AND ${VISIBLE}${isAmong} ${tail}`,
      [expression, ...this.visible, ...ids, ...values],
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
