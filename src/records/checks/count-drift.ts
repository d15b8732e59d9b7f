import { isOfNoType } from '../../content-types/store/type-rows.js';
import { STATUSES } from '../../content-types/definition/content-type.js';
import type { Reader } from '../../database/statements/reads.js';
import { ALL_RECORDS, REMOVED } from '../counting/record-counts.js';
import { TERMS_KEY } from '../rows/record-row.js';

/** The tables of counters, each with the columns of its key. */
export const COUNTERS = {
  record_counts: ['type_id', 'status'],
  term_counts: ['term_id', 'type_id', 'status'],
} as const;

type CounterTable = keyof typeof COUNTERS;

/** The number of counters of each table that are wrong, or were put right. */
export type WrongCounters = Record<CounterTable, number>;

/** A counter that says something else than the records, its deltas counted in. */
interface Drift {
  readonly key: readonly (string | number)[];
  /** The number that has to be added to it. */
  readonly d: number;
}

/** Counters that one statement compares with the records: few enough for a unit of work that others wait for. */
export interface Portion {
  readonly table: CounterTable;
  /** Ids of terms from the first up to, and not with, the last; {@link ALL_RECORDS} stands for the records themselves. */
  readonly from: number;
  readonly to: number;
}

/** Rows of terms that a portion has more or less. */
const ROWS = 5_000;
const EVER = Number.MAX_SAFE_INTEGER;
const IS_COUNTED = `r.trashed_at = 0 AND NOT (${isOfNoType('r.type_id')})`;

/** All counters, portion after portion. */
export async function* portionsOf(reader: Reader): AsyncGenerator<Portion> {
  yield { table: 'record_counts', from: ALL_RECORDS, to: ALL_RECORDS + 1 };
  for (let from = ALL_RECORDS + 1; from < EVER;) {
    const [row] = await reader.select<{ term: number | string }>(
      `SELECT num AS term FROM record_fields WHERE field_id = ? AND num >= ? ORDER BY num LIMIT 1 OFFSET ${ROWS}`,
      [TERMS_KEY, from],
    );
    const to = row ? Math.max(Number(row.term), from + 1) : EVER;
    yield { table: 'term_counts', from, to };
    from = to;
  }
}

/**
 * The counters of a portion that are wrong. One statement reads counters, deltas and records, so it is right whatever others
 * write meanwhile: each of their units changes all of them together. Those of a type whose records are being removed are left
 * out.
 */
export async function driftOf(reader: Reader, { table, from, to }: Portion): Promise<readonly Drift[]> {
  const columns = COUNTERS[table];
  const key = columns.join(', ');
  const [counted, kept] =
    table === 'record_counts'
      ? [
          `SELECT r.type_id, r.status, COUNT(*) AS n FROM records r
            WHERE r.status IN (${STATUSES.map((status) => `'${status}'`).join(', ')}) AND ${IS_COUNTED} GROUP BY r.type_id, r.status`,
          '1 = 1',
        ]
      : [
          `SELECT f.num AS term_id, r.type_id, r.status, COUNT(*) AS n FROM record_fields f JOIN records r ON r.id = f.record_id
            WHERE f.field_id = ${TERMS_KEY} AND f.num >= ${from} AND f.num < ${to} AND ${IS_COUNTED}
            GROUP BY f.num, r.type_id, r.status`,
          `term_id >= ${from} AND term_id < ${to}`,
        ];
  const rows = await reader.select<Record<string, string | number>>(
    `SELECT ${key}, SUM(n) AS d FROM (
       ${counted}
       UNION ALL SELECT ${key}, -n FROM ${table} WHERE ${kept}
       UNION ALL SELECT ${key}, -d FROM record_deltas WHERE term_id >= ${from} AND term_id < ${to}) parts
      WHERE type_id NOT IN (SELECT type_id FROM record_counts WHERE status = ?)
      GROUP BY ${key} HAVING SUM(n) <> 0`,
    [REMOVED],
  );
  return rows.map((row) => ({
    key: columns.map((column) => (column === 'status' ? String(row[column]) : Number(row[column]))),
    d: Number(row.d),
  }));
}

/** Counts all records, and says how many of the kept numbers are others. */
export async function wrongCounters(reader: Reader): Promise<WrongCounters> {
  const wrong = { record_counts: 0, term_counts: 0 };
  for await (const portion of portionsOf(reader)) wrong[portion.table] += (await driftOf(reader, portion)).length;
  return wrong;
}
