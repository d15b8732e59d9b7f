import { isOfNoType } from '../../content-types/store/type-rows.js';
import { STATUSES } from '../../content-types/definition/content-type.js';
import type { Reader } from '../../database/statements/reads.js';
import { placeholders, type SqlValue } from '../../database/statements/statement.js';
import { ALL_RECORDS } from '../counting/record-deltas.js';
import { SPANS } from '../counting/record-positions.js';
import { TERMS_KEY } from '../rows/field-rows.js';

/** The tables of counters, each with the columns of its key. */
export const COUNTERS = {
  record_counts: ['type_id', 'status'],
  term_counts: ['term_id', 'type_id', 'status'],
  record_positions: ['type_id', 'level', 'status', 'bucket'],
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
  /** Of positions. */
  readonly level: number;
  /** From the first up to, and not with, the last: times of creation, or ids of terms. */
  readonly from: number;
  readonly to: number;
}

/** Records, or rows of terms, that a portion has more or less. */
const ROWS = 5_000;
const EVER = Number.MAX_SAFE_INTEGER;
const THESE = placeholders(STATUSES);

interface Row {
  readonly term_id: number | string;
  readonly type_id: number | string;
  readonly status: string;
  readonly since: number | string;
  readonly d: number | string;
}

/** All counters of some types and of the terms, portion after portion. */
export async function* portionsOf(reader: Reader, typeIds: readonly number[]): AsyncGenerator<Portion> {
  for (const typeId of typeIds) {
    yield { table: 'record_counts', typeId, level: 0, from: -EVER, to: EVER };
    for (const level of SPANS.keys()) yield* spansOf(reader, typeId, level);
  }
  yield* termsIn(reader);
}

/**
 * The counters of a portion that are wrong. One statement reads counters, deltas and records, so it is right whatever others
 * write meanwhile: each of their units changes all of them together.
 */
export function driftOf(reader: Reader, portion: Portion): Promise<readonly Drift[]> {
  switch (portion.table) {
    case 'record_counts':
      return driftOfStatuses(reader, portion);
    case 'term_counts':
      return driftOfTerms(reader, portion);
    case 'record_positions':
      return driftOfPositions(reader, portion);
  }
}

async function* spansOf(reader: Reader, typeId: number, level: number): AsyncGenerator<Portion> {
  const span = SPANS[level] ?? 1;
  for (let from = -EVER; from < EVER;) {
    const [row] = await reader.select<{ at: number | string }>(
      `SELECT created_at AS at FROM records WHERE type_id = ? AND trashed_at = 0 AND created_at >= ?
        ORDER BY created_at LIMIT 1 OFFSET ${ROWS}`,
      [typeId, from],
    );
    // Up to the end of a span: a counter is in one portion.
    const to = row ? (Math.floor(Number(row.at) / span) + 1) * span : EVER;
    yield { table: 'record_positions', typeId, level, from, to };
    from = to;
  }
}

async function* termsIn(reader: Reader): AsyncGenerator<Portion> {
  for (let from = 0; from < EVER;) {
    const [row] = await reader.select<{ term: number | string }>(
      `SELECT num AS term FROM record_fields WHERE field_id = ? AND num >= ? ORDER BY num LIMIT 1 OFFSET ${ROWS}`,
      [TERMS_KEY, from],
    );
    const to = row ? Math.max(Number(row.term), from + 1) : EVER;
    yield { table: 'term_counts', typeId: 0, level: 0, from, to };
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

async function driftOfPositions(reader: Reader, { typeId, level, from, to }: Portion): Promise<readonly Drift[]> {
  const span = SPANS[level] ?? 1;
  const since = beginOf('created_at', span);
  const within: SqlValue[] = [typeId, ...STATUSES, from, to];
  const buckets: SqlValue[] = [typeId, level, ...STATUSES, Math.floor(from / span), Math.floor(to / span)];
  const rows = await reader.select<Row>(
    `SELECT status, since, SUM(n) AS d FROM (
       SELECT status, ${since} AS since, COUNT(*) AS n FROM records
        WHERE type_id = ? AND status IN (${THESE}) AND trashed_at = 0 AND created_at >= ? AND created_at < ?
        GROUP BY status, ${since}
       UNION ALL SELECT status, bucket * ${span}, -n FROM record_positions
        WHERE type_id = ? AND level = ? AND status IN (${THESE}) AND bucket >= ? AND bucket < ?
       UNION ALL SELECT status, ${since}, -d FROM record_deltas
        WHERE term_id = ${ALL_RECORDS} AND type_id = ? AND status IN (${THESE}) AND created_at >= ? AND created_at < ?) parts
      GROUP BY status, since HAVING SUM(n) <> 0`,
    [...within, ...buckets, ...within],
  );
  return rows.map(({ status, since: at, d }) => ({
    key: [typeId, level, status, Math.floor(Number(at) / span)],
    d: Number(d),
  }));
}

/** When the span began that a time falls into, before 1970 too. In whole numbers: what is rounded may be the next one. */
function beginOf(time: string, span: number): string {
  return `${time} - ((${time} % ${span}) + ${span}) % ${span}`;
}
