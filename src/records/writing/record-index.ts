import type { EntityManager } from 'typeorm';
import { ValidationError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import type { Field } from '../../content-types/kinds/field.js';
import { formerKey, indexRows, needsIndex, uniqueKeys } from '../../content-types/definition/field-index.js';
import { noteWritten } from '../../content-types/changes/type-watches.js';
import { isUniqueViolation } from '../../database/database-error.js';
import { deleteAll } from '../../database/statements/deletion.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reader } from '../../database/statements/reads.js';
import { placeholders, select } from '../../database/statements/statement.js';
import { insertFieldRows, TERMS_KEY, type FieldRow } from '../rows/field-rows.js';
import type { FieldValues } from '../rows/record-row.js';
import type { RecordState } from './record-state.js';

/** A record of which the side index is to be written. */
export interface Indexed {
  readonly id: number;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly state: Pick<RecordState, 'values' | 'terms'>;
}

/**
 * Writes the rows of records whose values are new or others by now.
 *
 * @throws {ValidationError} a value of a unique field is taken
 */
export async function insertIndex(
  manager: EntityManager,
  type: CompiledType,
  records: readonly Indexed[],
): Promise<void> {
  await noteWritten(
    manager,
    type,
    records.map(({ id }) => id),
  );
  await refuseFormerKeys(manager, type, records);
  const rows = records.flatMap((record) => [...fieldRows(type, record), ...termRows(record)]);
  try {
    await insertFieldRows(manager, rows);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw valueTaken(
      type.fields.filter(({ unique }) => unique).map(({ name }) => name),
      error,
    );
  }
}

/** Fields whose unique value another record has by now, of a record that has no rows. */
export async function takenFields(
  manager: EntityManager,
  { fields }: CompiledType,
  values: FieldValues,
): Promise<readonly Field[]> {
  const kept = fields.filter(({ id, unique }) => unique && (values[id] ?? null) !== null);
  const taken = await fieldsWithKeys(
    manager,
    kept.flatMap((field) => uniqueKeys(field, values[field.id]).map((key) => [field.key, key] as const)),
  );
  return kept.filter(({ key }) => taken.has(key));
}

/** Whether a record that is not this one has a value in a unique field. */
export async function hasOtherWithValue(
  reader: Reader,
  field: Field,
  value: unknown,
  recordId: number,
): Promise<boolean> {
  const keys = uniqueKeys(field, value);
  const sql = `SELECT record_id FROM record_fields WHERE field_id = ? AND unique_key IN (${placeholders(keys)}) AND record_id <> ? LIMIT 1`;
  return (await reader.select(sql, [field.key, ...keys, recordId])).length > 0;
}

/** Fields by their keys that have one of some unique keys in the side index. */
async function fieldsWithKeys(
  manager: EntityManager,
  keys: readonly (readonly [number, string])[],
): Promise<ReadonlySet<number>> {
  if (keys.length === 0) return new Set();
  const rows = await select<{ field_id: number | string }>(
    manager,
    `SELECT field_id FROM record_fields WHERE ${keys.map(() => '(field_id = ? AND unique_key = ?)').join(' OR ')}`,
    keys.flat(),
  );
  return new Set(rows.map(({ field_id: key }) => Number(key)));
}

/**
 * Refuses values that records have under keys which are about to be replaced; none of the new ones has rows yet.
 *
 * @throws {ValidationError} a value of a unique field is taken
 */
async function refuseFormerKeys(
  manager: EntityManager,
  { fields }: CompiledType,
  records: readonly Indexed[],
): Promise<void> {
  const keys = fields
    .filter(({ isRekeyed }) => isRekeyed === true)
    .flatMap((field) =>
      records.flatMap(({ state: { values } }) => {
        const key = formerKey(field, values[field.id]);
        return key === null ? [] : [[field.key, key] as const];
      }),
    );
  const taken = await fieldsWithKeys(manager, keys);
  if (taken.size === 0) return;
  const names = fields.filter(({ key }) => taken.has(key)).map(({ name }) => name);
  throw valueTaken(names, null);
}

export async function replaceIndex(
  manager: EntityManager,
  dialect: Dialect,
  type: CompiledType,
  record: Indexed,
): Promise<void> {
  await deleteIndex(manager, dialect, record.id);
  await insertIndex(manager, type, [record]);
}

/** Deletes all rows of a record. */
export function deleteIndex(manager: EntityManager, dialect: Dialect, recordId: number): Promise<void> {
  return deleteAll(manager, dialect, { table: 'record_fields', condition: 'record_id = ?', values: [recordId] });
}

function fieldRows({ fields }: CompiledType, { id, createdAt, state: { values } }: Indexed): FieldRow[] {
  return fields
    .filter(needsIndex)
    .flatMap((field) =>
      indexRows(field, values[field.id] ?? null).map(({ pos, num, str, uniqueKey }) => [
        id,
        field.key,
        pos,
        num,
        str,
        uniqueKey,
        createdAt,
      ]),
    );
}

/** The number is the term, the text its taxonomy: lists ask for both. */
function termRows({ id, createdAt, state: { terms } }: Indexed): FieldRow[] {
  return Object.entries(terms)
    .flatMap(([taxonomy, ids]) => ids.map((term) => [taxonomy, term] as const))
    .map(([taxonomy, term], pos) => [id, TERMS_KEY, pos, term, taxonomy, null, createdAt]);
}

/** The index does not say which of several unique fields it was. */
function valueTaken(names: readonly string[], cause: unknown): ValidationError {
  const error = new ValidationError(
    names.map((field) => ({ field, rule: 'unique', message: `Another record has this ${field}.` })),
  );
  error.cause = cause;
  return error;
}
