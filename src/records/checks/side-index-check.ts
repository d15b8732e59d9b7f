import type { DataSource } from 'typeorm';
import type { TypeDefinition } from '../../content-types/definition/content-type.js';
import { indexRows, needsIndex } from '../../content-types/definition/field-index.js';
import type { Position, StoredValues } from '../../content-types/store/type-usage.port.js';
import { allDefinitions } from '../../content-types/store/type-rows.js';
import type { Dialect } from '../../database/dialect/dialect.js';
import { type Reader, withConsistentSnapshot } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import { REMOVED } from '../counting/record-counts.js';
import { TERMS_KEY } from '../rows/record-row.js';
import { recordIdsAfter } from '../rows/record-portions.js';
import { nextPositions, valuesOfRecords } from '../types/type-walk.js';

/** The faults of the side index (`record_fields`). */
export interface SideIndexFaults {
  /** Records whose rows are not those of their contents, by the ids of their types. */
  readonly records: ReadonlyMap<number, readonly number[]>;
  /** Ids of records that have rows and should have none: in the trash, or gone. */
  readonly leftOver: readonly number[];
  /** Ids of fields that have rows and should have none: gone, or not indexed. */
  readonly fields: readonly number[];
}

type Type = Pick<TypeDefinition, 'id' | 'fields'>;
type Id = Readonly<Record<'id', number | string>>;
/** Ids of records with wrong rows, and the position to go on behind; `null`: there are none left. */
type Compared = readonly [wrong: number[], last: Position | null];

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

/** Holds the side index against the records, without reading their contents: each has to have rows, with its own time. */
export async function checkSideIndex(reader: Reader): Promise<SideIndexFaults> {
  const types = await allDefinitions(reader);
  const [records, leftOver] = [new Map<number, number[]>(), [] as number[]];
  for (let after = 0; ;) {
    const ids = await recordIdsAfter(reader, after, PORTION);
    const upTo = ids.length < PORTION ? Number.MAX_SAFE_INTEGER : (ids.at(-1) ?? 0);
    for (const type of types) add(records, type.id, await lacking(reader, type, after, upTo));
    leftOver.push(...(await leftOverRows(reader, after, upTo)));
    if (ids.length < PORTION) break;
    after = upTo;
  }
  return { records, leftOver, fields: await unusedFields(reader) };
}

/** Holds each row of the side index against the contents of its record. What is damaged there is passed over. */
export async function compareSideIndex(source: DataSource, dialect: Dialect): Promise<SideIndexFaults['records']> {
  const records = new Map<number, number[]>();
  for (const type of await withConsistentSnapshot(source, dialect, allDefinitions)) {
    for (let after: Position | null = null; ;) {
      const position: Position | null = after;
      const [wrong, last]: Compared = await withConsistentSnapshot(source, dialect, (reader) =>
        wrongOf(reader, dialect, type, position),
      );
      add(records, type.id, wrong);
      if (!last) break;
      after = last;
    }
  }
  return records;
}

/** Fields whose rows are complete as soon as their records are committed. */
function indexedFields({ fields }: Type): number[] {
  return fields.filter((field) => needsIndex(field) && field.building !== true).map(({ key }) => key);
}

function add(all: Map<number, number[]>, typeId: number, ids: readonly number[]): void {
  if (ids.length > 0) all.set(typeId, [...(all.get(typeId) ?? []), ...ids]);
}

/** Records outside the trash in a span of ids that lack rows of a field, or have them with another time than their own. */
async function lacking(reader: Reader, type: Type, after: number, upTo: number): Promise<number[]> {
  const keys = indexedFields(type);
  if (keys.length === 0) return [];
  const rows = await reader.select<Id>(
    `SELECT r.id FROM records r
      WHERE r.id > ? AND r.id <= ? AND r.type_id = ? AND r.trashed_at = 0
        AND (SELECT COUNT(*) FROM record_fields f
              WHERE f.record_id = r.id AND f.field_id IN (${placeholders(keys)}) AND f.pos = 0
                AND f.sort_at = r.created_at) <> ?
      ORDER BY r.id`,
    [after, upTo, type.id, ...keys, keys.length],
  );
  return rows.map(({ id }) => Number(id));
}

async function leftOverRows(reader: Reader, after: number, upTo: number): Promise<number[]> {
  const rows = await reader.select<Id>(
    `SELECT DISTINCT f.record_id AS id FROM record_fields f
       LEFT JOIN records r ON r.id = f.record_id AND r.trashed_at = 0
      WHERE f.record_id > ? AND f.record_id <= ? AND r.id IS NULL ORDER BY f.record_id`,
    [after, upTo],
  );
  return rows.map(({ id }) => Number(id));
}

/** Asked before the types are: a field is there before its first row. Rows of a type that is being removed go with it. */
async function unusedFields(reader: Reader): Promise<number[]> {
  const rows = await reader.select<Id>('SELECT DISTINCT field_id AS id FROM record_fields');
  const removals = await reader.select('SELECT type_id FROM record_counts WHERE status = ?', [REMOVED]);
  if (removals.length > 0) return [];
  const types = await allDefinitions(reader);
  const known = new Set(types.flatMap(({ fields }) => fields.filter(needsIndex).map(({ key }) => key)));
  return rows.map(({ id }) => Number(id)).filter((id) => id !== TERMS_KEY && !known.has(id));
}

async function wrongOf(
  reader: Reader,
  dialect: Dialect,
  type: TypeDefinition,
  after: Position | null,
): Promise<Compared> {
  const positions = await nextPositions(reader, dialect, type.id, after);
  const ids = positions.map(({ id }) => id);
  const kept = await valuesOfRecords(reader, ids);
  const found = await rowsOf(reader, dialect, ids);
  const wrong = kept.filter(
    (record) => rowsWanted(type, record).join('\n') !== rowsFound(type, record, found).join('\n'),
  );
  return [wrong.map(({ id }) => id), positions.at(-1) ?? null];
}

async function rowsOf(reader: Reader, dialect: Dialect, ids: readonly number[]): Promise<readonly FieldRow[]> {
  if (ids.length === 0) return [];
  return reader.select<FieldRow>(
    `SELECT record_id, field_id, pos, ${dialect.exactDouble('num')} AS num, str, sort_key, unique_key, sort_at FROM record_fields
      WHERE record_id IN (${placeholders(ids)})`,
    ids,
  );
}

function rowsWanted(type: TypeDefinition, { createdAt, isTrashed, values, terms }: StoredValues): string[] {
  if (isTrashed) return [];
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

/** Those of fields that are to be complete; the others are in the making, or are of no use. */
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
