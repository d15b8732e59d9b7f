import type { EntityManager } from 'typeorm';
import { STATUSES } from '../../content-types/definition/content-type.js';
import type { Condition, Dialect } from '../../database/dialect/dialect.js';
import { type Reader, selectIds, selectNumber, readerOf } from '../../database/statements/reads.js';
import { placeholders, select } from '../../database/statements/statement.js';
import { TERMS_KEY, ALL_COLUMNS, WITH_SHORT_CONTENTS, type ListedRow } from './record-row.js';
import { TYPE_ROWS } from '../../content-types/store/type-rows.js';

/** A record and its type. */
export interface TypedId {
  readonly id: number;
  readonly typeId: number;
}

/** Ids above the first and up to the last. */
export interface IdSpan {
  readonly after: number;
  readonly upTo: number;
}

type Typed = Readonly<Record<'id' | 'type_id', number | string>>;

/** The narrow rows of records as a statement calls them: `r`, with their id as `r.id`. */
export const RECORD_ROWS = 'records r';

/** Holds for records whose status is one that there is. A statement by hand may have written another. */
export const HAS_STATUS = `r.status IN (${STATUSES.map((status) => `'${status}'`).join(', ')})`;

/** Holds for all records. */
export const ANY_RECORD: Condition = { sql: '1 = 1', values: [] };

/** Records of a type, read by their ids. */
export function recordsOfType(typeId: number): Condition {
  // The sign keeps planners from an index of types, which would have to be sorted by id for every batch.
  return { sql: '+r.type_id = ?', values: [typeId] };
}

/** Records of a term: each record is asked whether it holds the term. */
export function recordsHolding(termId: number): Condition {
  // All four columns of the index of numbers: neither the terms of a record nor the records of the term are gone
  // through. LIMIT keeps MySQL and MariaDB from turning this into a join that starts at the term.
  return {
    sql: `EXISTS (SELECT 1 FROM record_fields f
      WHERE f.field_id = ? AND f.num = ? AND f.sort_at = r.created_at AND f.record_id = r.id LIMIT 1)`,
    values: [TERMS_KEY, termId],
  };
}

/** The first records of a span by id. No other unit writes them until this one ends. */
export async function lockRecords(
  manager: EntityManager,
  dialect: Dialect,
  { sql, values }: Condition,
  { after, upTo }: IdSpan,
  most: number,
): Promise<TypedId[]> {
  const rows = await select<Typed>(
    manager,
    `SELECT r.id, r.type_id FROM records r WHERE ${sql} AND r.id > ? AND r.id <= ? ORDER BY r.id LIMIT ${most}${dialect.lockForUpdate}`,
    [...values, after, upTo],
  );
  return rows.map(typedId);
}

/** Id of the last record that there is; 0: there is none. */
export function lastRecordId(reader: Reader): Promise<number> {
  return selectNumber(reader, 'SELECT MAX(id) AS n FROM records');
}

/** The number of records with an id above that. Goes through all of them: not for requests. */
export function countRecordsAfter(reader: Reader, { sql, values }: Condition, after: number): Promise<number> {
  return selectNumber(reader, `SELECT COUNT(*) AS n FROM records r WHERE ${sql} AND r.id > ?`, [...values, after]);
}

/** Rows of records outside the trash in the order of their ids, with their contents as far as these are short. */
export function listedRecords(manager: EntityManager, ids: readonly number[]): Promise<ListedRow[]> {
  return select<ListedRow>(
    manager,
    `SELECT ${ALL_COLUMNS} FROM records r ${WITH_SHORT_CONTENTS}
        WHERE r.id IN (${placeholders(ids)}) AND r.trashed_at = 0 ORDER BY r.id`,
    ids,
  );
}

/** The next ids of records, those in the trash too. */
export function recordIdsAfter(reader: Reader, id: number, most: number): Promise<number[]> {
  const sql = `SELECT id FROM records WHERE id > ? ORDER BY id LIMIT ${most}`;
  return selectIds(reader, sql, [id]);
}

/** Spans of so many records, those in the trash too, one after the other. The last has no end: each id is in one of them. */
export async function* recordSpans(reader: Reader, most: number): AsyncGenerator<IdSpan> {
  let after = 0;
  for (;;) {
    const sql = `SELECT id FROM records WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${most - 1}`;
    const [last] = await reader.select<Pick<Typed, 'id'>>(sql, [after]);
    const upTo = last ? Number(last.id) : Number.MAX_SAFE_INTEGER;
    yield { after, upTo };
    if (!last) return;
    after = upTo;
  }
}

/** The end of a span of at most so many records, whatever their types; `null`: there are none above. */
export async function spanAfter(reader: Reader, after: number, most: number): Promise<IdSpan | null> {
  const sql = `SELECT MAX(id) AS last FROM (SELECT id FROM records WHERE id > ? ORDER BY id LIMIT ${most}) next`;
  const [row] = await reader.select<{ last: number | string | null }>(sql, [after]);
  return row?.last == null ? null : { after, upTo: Number(row.last) };
}

/** The types of records, those in the trash too, by their ids. What is gone is absent. */
export async function typesOfRecords(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const sql = `SELECT id, type_id FROM records WHERE id IN (${placeholders(ids)})`;
  const rows = (await reader.select<Typed>(sql, ids)).map(typedId);
  return new Map(rows.map(({ id, typeId }) => [id, typeId]));
}

function typedId({ id, type_id: typeId }: Typed): TypedId {
  return { id: Number(id), typeId: Number(typeId) };
}

/**
 * `updated_at` of the record that was written last, of those outside the trash; 0: there is none. An index leads to it
 * for each type. What changes the views of records without writing them has to lie after it, or a client would get the answer
 * that a record is unchanged: clocks of instances differ, and a record that is written often runs ahead of all of them.
 */
export function latestWrite(manager: EntityManager): Promise<number> {
  return selectNumber(
    readerOf(manager),
    `SELECT MAX(latest.at) AS n
       FROM (SELECT (SELECT r.updated_at FROM records r WHERE r.type_id = t.id AND r.trashed_at = 0
                      ORDER BY r.type_id DESC, r.trashed_at DESC, r.updated_at DESC LIMIT 1) AS at
               FROM ${TYPE_ROWS}) latest`,
  );
}
