import type { EntityManager } from 'typeorm';
import { ValidationError } from '../../common/errors/domain-error.js';
import { isSameJson } from '../../common/schema/same-json.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { Field } from '../../content-types/kinds/field.js';
import { indexRows, needsIndex, uniqueKey } from '../../content-types/definition/field-index.js';
import { noteWritten } from '../../content-types/changes/type-watches.js';
import { isUniqueViolation } from '../../database/dialect/database-error.js';
import { deleteAll } from '../../database/statements/deletion.js';
import type { Condition, Dialect } from '../../database/dialect/dialect.js';
import { execute, placeholders, select, type SqlValue } from '../../database/statements/statement.js';
import { executeLater, insertRows } from '../../database/statements/statement-queue.js';
import { INSERT_FIELDS, TERMS_KEY, storedTerms, type FieldValues } from '../rows/record-row.js';
import type { RecordState } from './record-state.js';

/** A record of which the side index is to be written. */
export interface Indexed {
  readonly id: number;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly state: Pick<RecordState, 'values' | 'terms'>;
}

/** The part of a record that the side index is written for. */
interface Part {
  readonly fields: readonly Field[];
  readonly hasTerms: boolean;
}

/**
 * Writes the rows of records that have none.
 *
 * @param part absent: all of them
 * @throws {ValidationError} a value of a unique field is taken
 */
export async function insertIndex(
  manager: EntityManager,
  type: CompiledType,
  records: readonly Indexed[],
  part: Part = { fields: type.fields, hasTerms: true },
): Promise<void> {
  if (type.isWatched === true) {
    const ids = records.map(({ id }) => id);
    await noteWritten(manager, type, ids);
  }
  const unique = part.fields.filter((field) => field.unique);
  const hasUnique =
    unique.length > 0 &&
    records.some(({ state: { values } }) => unique.some(({ id }) => (values[id] ?? null) !== null));
  try {
    await insertRows(manager, INSERT_FIELDS, rowsOf(part, records), { write: hasUnique ? execute : executeLater });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw valueTaken(unique, error);
  }
}

/** Fields whose unique value another record has by now, of a record that has no rows. */
export async function takenFields(
  manager: EntityManager,
  { fields }: CompiledType,
  values: FieldValues,
): Promise<readonly Field[]> {
  const kept = fields.filter(({ id, unique }) => unique && (values[id] ?? null) !== null);
  if (kept.length === 0) return [];
  const rows = await select<{ field_id: number | string }>(
    manager,
    `SELECT field_id FROM record_fields WHERE ${kept.map(() => '(field_id = ? AND unique_key = ?)').join(' OR ')}`,
    kept.flatMap((field) => [field.key, uniqueKey(field, values[field.id])]),
  );
  const taken = new Set(rows.map(({ field_id: key }) => Number(key)));
  return kept.filter(({ key }) => taken.has(key));
}

/** The statement that finds the records with a value of a unique field that are not this one. */
export function othersWithValue(field: Field, value: unknown, recordId: number): Condition {
  return {
    sql: 'SELECT record_id FROM record_fields WHERE field_id = ? AND unique_key = ? AND record_id <> ?',
    values: [field.key, uniqueKey(field, value), recordId],
  };
}

/**
 * Writes the rows of a record anew: on SQLite those of values that have changed, on MySQL and MariaDB all.
 * Deletions of the rows of single fields made writers of other records wait there (`test/content-types/content-type-index`).
 *
 * @param before what its rows are of
 * @throws {ValidationError} a value of a unique field is taken
 */
export async function replaceIndex(
  manager: EntityManager,
  dialect: Dialect,
  type: CompiledType,
  record: Indexed,
  before: Pick<RecordState, 'values' | 'terms'>,
): Promise<void> {
  const part = dialect.hasOneWriter ? changedPart(type, before, record.state) : undefined;
  const keys = part && [...(part.hasTerms ? [TERMS_KEY] : []), ...part.fields.map(({ key }) => key)];
  if (keys?.length !== 0) await deleteIndex(manager, dialect, record.id, keys);
  await insertIndex(manager, type, [record], part);
}

function changedPart({ fields }: CompiledType, before: Indexed['state'], after: Indexed['state']): Part {
  return {
    fields: fields.filter(
      (field) => needsIndex(field) && !isSameJson(before.values[field.id] ?? null, after.values[field.id] ?? null),
    ),
    hasTerms: storedTerms(before.terms) !== storedTerms(after.terms),
  };
}

/** Deletes the rows of a record. @param keys those of some fields; absent: all */
export function deleteIndex(
  manager: EntityManager,
  dialect: Dialect,
  recordId: number,
  keys: readonly number[] = [],
): Promise<void> {
  const condition = `record_id = ?${keys.length === 0 ? '' : ` AND field_id IN (${placeholders(keys)})`}`;
  return deleteAll(manager, dialect, { table: 'record_fields', condition, values: [recordId, ...keys] });
}

/** Made as they are asked for: a record may have tens of thousands. */
function* rowsOf({ fields, hasTerms }: Part, records: readonly Indexed[]): Generator<readonly SqlValue[]> {
  for (const { id, createdAt, state } of records) {
    for (const field of fields) {
      for (const { pos, num, str, sortKey, uniqueKey } of indexRows(field, state.values[field.id] ?? null)) {
        yield [id, field.key, pos, num, str, sortKey, uniqueKey, createdAt];
      }
    }
    if (!hasTerms) continue;
    let pos = 0;
    for (const [taxonomy, terms] of Object.entries(state.terms)) {
      // The number is the term, the text its taxonomy: lists ask for both.
      for (const term of terms) yield [id, TERMS_KEY, pos++, term, taxonomy, null, null, createdAt];
    }
  }
}

/** The index does not say which of several unique fields it was. */
function valueTaken(fields: readonly Field[], cause: unknown): ValidationError {
  const error = new ValidationError(
    fields.map(({ name: field }) => ({ field, rule: 'unique', message: `Another record has this ${field}.` })),
  );
  error.cause = cause;
  return error;
}
