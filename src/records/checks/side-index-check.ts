import type { DataSource } from 'typeorm';
import type { TypeDefinition } from '../../content-types/definition/content-type.js';
import { indexRows, needsIndex } from '../../content-types/definition/field-index.js';
import type { StoredValues } from '../../content-types/store/type-usage.port.js';
import { allDefinitions } from '../../content-types/store/type-rows.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import { type Reader, Reads, withConsistentSnapshot, selectIds } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import { TERMS_KEY } from '../rows/record-row.js';
import { recordSpans, type IdSpan } from '../rows/record-portions.js';
import { valuesOfRecords } from '../types/type-walk.js';

interface FieldRow {
  readonly record_id: number | string;
  readonly field_id: number | string;
  readonly pos: number | string;
  readonly num: number | string | null;
  readonly str: string | null;
  readonly sort_key: string | null;
  readonly unique_key: string | null;
  readonly sort_at: number | string;
}

const PORTION = 5_000;
/** Contents may be long. */
const DEEP_PORTION = 50;

/**
 * Ids of records whose rows in the side index (`record_fields`) are not theirs, those in the trash or gone among them, which
 * should have none. Damaged records are passed over, and so are rows of unused fields, which a job drops.
 *
 * @param isDeep whether each row is compared with the contents; else a record only has to have rows, with its own time
 */
export async function wronglyIndexed(source: DataSource, dialect: Dialect, isDeep: boolean): Promise<number[]> {
  const reads = new Reads(source);
  const types = await allDefinitions(reads);
  const wrong: number[] = [];
  for await (const span of recordSpans(reads, isDeep ? DEEP_PORTION : PORTION)) {
    const some = await withConsistentSnapshot(source, dialect, async (reader) => [
      ...(isDeep ? await differing(reader, dialect, types, span) : await lacking(reader, types, span)),
      ...(await leftOver(reader, span)),
    ]);
    wrong.push(...some);
  }
  return wrong;
}

/** Fields whose rows are complete as soon as their records are committed. */
function indexedFields({ fields }: TypeDefinition): number[] {
  return fields.filter((field) => needsIndex(field) && field.building !== true).map(({ key }) => key);
}

/** Records outside the trash that lack rows of a field, or have them with another time than their own. */
async function lacking(reader: Reader, types: readonly TypeDefinition[], { after, upTo }: IdSpan): Promise<number[]> {
  const ids: number[] = [];
  for (const type of types) {
    const keys = indexedFields(type);
    if (keys.length === 0) continue;
    const lacking = await selectIds(
      reader,
      `SELECT r.id FROM records r
        WHERE r.id > ? AND r.id <= ? AND r.type_id = ? AND r.trashed_at = 0
          AND (SELECT COUNT(*) FROM record_fields f
                WHERE f.record_id = r.id AND f.field_id IN (${placeholders(keys)}) AND f.pos = 0
                  AND f.sort_at = r.created_at) <> ?
        ORDER BY r.id`,
      [after, upTo, type.id, ...keys, keys.length],
    );
    ids.push(...lacking);
  }
  return ids;
}

function leftOver(reader: Reader, { after, upTo }: IdSpan): Promise<number[]> {
  return selectIds(
    reader,
    `SELECT DISTINCT f.record_id AS id FROM record_fields f
       LEFT JOIN records r ON r.id = f.record_id AND r.trashed_at = 0
      WHERE f.record_id > ? AND f.record_id <= ? AND r.id IS NULL ORDER BY f.record_id`,
    [after, upTo],
  );
}

async function differing(
  reader: Reader,
  dialect: Dialect,
  types: readonly TypeDefinition[],
  { after, upTo }: IdSpan,
): Promise<number[]> {
  const living = await reader.select<Readonly<Record<'id' | 'type_id', number | string>>>(
    'SELECT id, type_id FROM records WHERE id > ? AND id <= ? AND trashed_at = 0',
    [after, upTo],
  );
  if (living.length === 0) return [];
  const ids = living.map(({ id }) => Number(id));
  const kept = await valuesOfRecords(reader, ids);
  const found = await reader.select<FieldRow>(
    `SELECT record_id, field_id, pos, ${dialect.exactDouble('num')} AS num, str, sort_key, unique_key, sort_at FROM record_fields
      WHERE record_id IN (${placeholders(ids)})`,
    ids,
  );
  const typeOf = new Map(
    living.map((row) => [Number(row.id), types.find(({ id }) => id === Number(row.type_id))] as const),
  );
  return kept.flatMap((record) => {
    const type = typeOf.get(record.id);
    const isRight = !type || rowsWanted(type, record).join('\n') === rowsFound(type, record, found).join('\n');
    return isRight ? [] : [record.id];
  });
}

function rowsWanted(type: TypeDefinition, { createdAt, values, terms }: StoredValues): string[] {
  const complete = new Set(indexedFields(type));
  const ofFields = type.fields
    .filter(({ key }) => complete.has(key))
    .flatMap((field) =>
      indexRows(field, values[field.id] ?? null).map(({ pos, num, str, sortKey, uniqueKey }) =>
        JSON.stringify([field.key, pos, num, str, sortKey, uniqueKey, createdAt]),
      ),
    );
  const ofTerms = Object.entries(terms)
    .flatMap(([taxonomy, ids]) => ids.map((id) => [taxonomy, id] as const))
    .map(([taxonomy, id]) => JSON.stringify([TERMS_KEY, null, id, taxonomy, null, null, createdAt]));
  return [...ofFields, ...ofTerms].sort();
}

/** The rows of fields that are to be complete; other fields are in the making, or are of no use. */
function rowsFound(type: TypeDefinition, { id }: StoredValues, rows: readonly FieldRow[]): string[] {
  const complete = new Set([TERMS_KEY, ...indexedFields(type)]);
  return rows
    .filter(({ record_id: recordId, field_id: key }) => Number(recordId) === id && complete.has(Number(key)))
    .map(({ field_id: fieldId, pos, num, str, sort_key: sortKey, unique_key: uniqueKey, sort_at: sortAt }) => {
      const key = Number(fieldId);
      // Terms are a set: where each of them stands is of no account.
      const place = key === TERMS_KEY ? null : Number(pos);
      return JSON.stringify([key, place, num === null ? null : Number(num), str, sortKey, uniqueKey, Number(sortAt)]);
    })
    .sort();
}
