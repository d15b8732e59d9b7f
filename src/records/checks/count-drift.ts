import { isOfNoType } from '../../content-types/store/type-rows.js';
import { STATUSES } from '../../content-types/definition/content-type.js';
import type { Reader } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import { ALL_RECORDS } from '../counting/record-deltas.js';
import { TERMS_KEY } from '../rows/record-row.js';

/** The tables of counters, each with the columns of its key. */
export const COUNTERS = {
  record_counts: ['type_id', 'status'],
  term_counts: ['term_id', 'type_id', 'status'],
} as const;

export type CounterTable = keyof typeof COUNTERS;

/** A counter that says something else than the records, its deltas counted in. */
export interface Drift {
  readonly key: readonly (string | number)[];
  /** What has to be added to it. */
  readonly d: number;
}

/** Counters that one statement compares with the records: few enough for a unit of work that others wait for. */
export interface Portion {
  readonly table: CounterTable;
  /** Of a type, its id; of terms, of all types. */
  readonly typeId: number;
  /** Ids of terms from the first up to, and not with, the last. */
  readonly from: number;
  readonly to: number;
}

/** Rows of terms that a portion has more or less. */
const ROWS = 5_000;
const EVER = Number.MAX_SAFE_INTEGER;
const THESE = placeholders(STATUSES);

interface Row {
  readonly term_id: number | string;
  readonly type_id: number | string;
  readonly status: string;
  readonly d: number | string;
}

/** All counters of some types and of the terms, portion after portion. */
export async function* portionsOf(reader: Reader, typeIds: readonly number[]): AsyncGenerator<Portion> {
  for (const typeId of typeIds) yield { table: 'record_counts', typeId, from: 0, to: 0 };
  yield* termsIn(reader);
}

/**
 * The counters of a portion that are wrong. One statement reads counters, deltas and records, so it is right whatever others
 * write meanwhile: each of their units changes all of them together.
 */
export function driftOf(reader: Reader, portion: Portion): Promise<readonly Drift[]> {
  return portion.table === 'record_counts' ? driftOfStatuses(reader, portion) : driftOfTerms(reader, portion);
}

async function* termsIn(reader: Reader): AsyncGenerator<Portion> {
  for (let from = 0; from < EVER;) {
    const [row] = await reader.select<{ term: number | string }>(
      `SELECT num AS term FROM record_fields WHERE field_id = ? AND num >= ? ORDER BY num LIMIT 1 OFFSET ${ROWS}`,
      [TERMS_KEY, from],
    );
    const to = row ? Math.max(Number(row.term), from + 1) : EVER;
    yield { table: 'term_counts', typeId: 0, from, to };
    from = to;
  }
}

async function driftOfStatuses(reader: Reader, { typeId }: Portion): Promise<readonly Drift[]> {
  const rows = await reader.select<Row>(
    `SELECT status, SUM(n) AS d FROM (
       SELECT status, COUNT(*) AS n FROM records
        WHERE type_id = ? AND status IN (${THESE}) AND trashed_at = 0 GROUP BY status
       UNION ALL SELECT status, -n FROM record_counts WHERE type_id = ? AND status IN (${THESE})
       UNION ALL SELECT status, -d FROM record_deltas
        WHERE term_id = ${ALL_RECORDS} AND type_id = ? AND status IN (${THESE})) parts
      GROUP BY status HAVING SUM(n) <> 0`,
    [typeId, ...STATUSES, typeId, ...STATUSES, typeId, ...STATUSES],
  );
  return rows.map(({ status, d }) => ({ key: [typeId, status], d: Number(d) }));
}

async function driftOfTerms(reader: Reader, { from, to }: Portion): Promise<readonly Drift[]> {
  const rows = await reader.select<Row>(
    `SELECT term_id, type_id, status, SUM(n) AS d FROM (
       SELECT f.num AS term_id, r.type_id, r.status, COUNT(*) AS n FROM record_fields f JOIN records r ON r.id = f.record_id
        WHERE f.field_id = ${TERMS_KEY} AND f.num >= ? AND f.num < ? AND r.trashed_at = 0
        GROUP BY f.num, r.type_id, r.status
       UNION ALL SELECT term_id, type_id, status, -n FROM term_counts WHERE term_id >= ? AND term_id < ?
       UNION ALL SELECT term_id, type_id, status, -d FROM record_deltas
        WHERE term_id <> ${ALL_RECORDS} AND term_id >= ? AND term_id < ?) parts
      WHERE NOT (${isOfNoType('type_id')})
      GROUP BY term_id, type_id, status HAVING SUM(n) <> 0`,
    [from, to, from, to, from, to],
  );
  return rows.map(({ term_id: termId, type_id: typeId, status, d }) => ({
    key: [Number(termId), Number(typeId), status],
    d: Number(d),
  }));
}
