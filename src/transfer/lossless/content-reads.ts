import type { TypeDefinition } from '../../content-types/definition/content-type.js';
import type { Field } from '../../content-types/kinds/field.js';
import {
  definitionOf,
  FIELD_COLUMNS,
  TYPE_COLUMNS,
  type FieldRow,
  type TypeRow,
} from '../../content-types/store/type-rows.js';
import type { Reader } from '../../database/reads.js';
import { placeholders } from '../../database/statement.js';
import { ACTOR_COLUMNS, actorView, type ActorRow, type ActorView } from '../../records/rows/actor-names.js';
import { wholeRows } from '../../records/rows/long-rows.js';
import { ALL_COLUMNS, WITH_SHORT_CONTENTS, type ListedRow, type RecordRow } from '../../records/rows/record-row.js';
import {
  storedTermOf,
  STORED_COLUMNS,
  type StoredTerm,
  type StoredTermColumns,
} from '../../taxonomy/terms/stored-term.js';
import {
  TAXONOMY_COLUMNS,
  taxonomyOf,
  type Taxonomy,
  type TaxonomyColumns,
} from '../../taxonomy/taxonomies/taxonomy.js';
import type { SoundRows } from './sound-rows.js';

/** A term that went into another one, and the slug that it had. */
interface MergedTerm {
  readonly id: number;
  readonly slug: string;
}

/** A user without anything secret. */
export interface UserRow {
  readonly id: number | string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly disabled_at: number | string | null;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

const TERMS = 1_000;
const USERS = 1_000;
const RECORDS = 64;

export async function allTypes(reader: Reader): Promise<TypeDefinition[]> {
  const types = await reader.select<TypeRow>(`SELECT ${TYPE_COLUMNS} FROM content_types ORDER BY name`);
  const fields = await reader.select<FieldRow>(`SELECT ${FIELD_COLUMNS} FROM content_fields ORDER BY position, id`);
  return types.map((row) => {
    const own = fields.filter(({ type_id: typeId }) => Number(typeId) === Number(row.id));
    return definitionOf(row, own);
  });
}

export async function allTaxonomies(reader: Reader): Promise<Taxonomy[]> {
  const sql = `SELECT ${TAXONOMY_COLUMNS} FROM taxonomies ORDER BY name`;
  return (await reader.select<TaxonomyColumns>(sql)).map(taxonomyOf);
}

/** As the tree is read, so that a parent stands before what is under it. */
export async function* termsOf(
  reader: Reader,
  taxonomy: string,
  sound: SoundRows,
): AsyncGenerator<StoredTerm & { readonly merged: readonly MergedTerm[] }> {
  for (let last = ''; ;) {
    const rows = await reader.select<StoredTermColumns>(
      `SELECT ${STORED_COLUMNS} FROM terms WHERE taxonomy = ? AND sort_key > ? ORDER BY sort_key LIMIT ${TERMS}`,
      [taxonomy, last],
    );
    const terms = rows.filter((row) => sound.has('terms', row)).map(storedTermOf);
    const merged = await mergedInto(reader, terms, sound);
    for (const term of terms) yield { ...term, merged: merged.get(term.id) ?? [] };
    if (rows.length < TERMS) return;
    last = rows.at(-1)?.sort_key ?? '';
  }
}

async function mergedInto(
  reader: Reader,
  terms: readonly StoredTerm[],
  sound: SoundRows,
): Promise<ReadonlyMap<number, MergedTerm[]>> {
  const found = new Map<number, MergedTerm[]>();
  if (terms.length === 0) return found;
  const ids = terms.map(({ id }) => id);
  const rows = await reader.select<{ term_id: number | string; into_id: number | string; slug: string }>(
    `SELECT term_id, into_id, slug FROM term_redirects WHERE into_id IN (${placeholders(ids)}) ORDER BY term_id`,
    ids,
  );
  for (const { term_id: id, into_id: into, slug } of rows.filter((row) => sound.has('term_redirects', row))) {
    found.set(Number(into), [...(found.get(Number(into)) ?? []), { id: Number(id), slug }]);
  }
  return found;
}

export async function* users(reader: Reader, sound: SoundRows): AsyncGenerator<UserRow> {
  for (let last = 0; ;) {
    const rows = await reader.select<UserRow>(
      `SELECT id, email, name, role, disabled_at, created_at, updated_at FROM users WHERE id > ? ORDER BY id LIMIT ${USERS}`,
      [last],
    );
    yield* rows.filter((row) => sound.has('users', row));
    if (rows.length < USERS) return;
    last = Number(rows.at(-1)?.id);
  }
}

/** Whole records in the order of their ids, those in the trash too, some at a time. */
export async function* recordRows(
  reader: Reader,
  typeIds: readonly number[],
  sound: SoundRows,
): AsyncGenerator<readonly RecordRow[]> {
  if (typeIds.length === 0) return;
  for (let last = 0; ;) {
    const rows = await reader.select<ListedRow>(
      `SELECT ${ALL_COLUMNS} FROM records r ${WITH_SHORT_CONTENTS}
        WHERE r.id > ? AND r.type_id IN (${placeholders(typeIds)}) ORDER BY r.id LIMIT ${RECORDS}`,
      [last, ...typeIds],
    );
    yield* soundRows(reader, rows, sound);
    if (rows.length < RECORDS) return;
    last = rows.at(-1)?.id ?? 0;
  }
}

/** The rows as a whole, as far as they can be written down. In a snapshot, one that cannot be read has no contents. */
async function* soundRows(
  reader: Reader,
  rows: readonly ListedRow[],
  sound: SoundRows,
): AsyncGenerator<readonly RecordRow[]> {
  const missing = new Set(rows.map(({ id }) => id));
  for await (const whole of wholeRows(reader, rows)) {
    for (const { id } of whole) missing.delete(id);
    yield sound.records(whole);
  }
  for (const id of missing) sound.addWithoutContents(id);
}

/** Terms that there are, by the ids that records know them by: one that was merged is what it went into. */
export async function presentTerms(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const these = placeholders(ids);
  const rows = await reader.select<{ asked: number | string; id: number | string }>(
    `SELECT id AS asked, id FROM terms WHERE id IN (${these})
     UNION ALL
     SELECT r.term_id AS asked, t.id FROM term_redirects r JOIN terms t ON t.id = r.into_id WHERE r.term_id IN (${these})`,
    [...ids, ...ids],
  );
  return new Map(rows.map(({ asked, id }) => [Number(asked), Number(id)]));
}

export async function actorsBy(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, ActorView>> {
  if (ids.length === 0) return new Map();
  const sql = `SELECT ${ACTOR_COLUMNS} FROM actors WHERE id IN (${placeholders(ids)})`;
  const rows = await reader.select<ActorRow>(sql, ids);
  return new Map(rows.map((row) => [row.id, actorView(row)]));
}

/** How many there are; where counting takes longer than the database allows, 0. */
export async function countRecords(reader: Reader, typeIds: readonly number[]): Promise<number> {
  if (typeIds.length === 0) return 0;
  const sql = `SELECT COUNT(*) AS n FROM records WHERE type_id IN (${placeholders(typeIds)})`;
  return reader.select<{ n: number | string }>(sql, typeIds).then(
    ([row]) => Number(row?.n ?? 0),
    () => 0,
  );
}

/** A type, and all that its fields point to. */
export function withTargets(types: readonly TypeDefinition[], name: string): TypeDefinition[] {
  const byName = new Map(types.map((type) => [type.name, type]));
  const wanted = new Set([name]);
  for (const one of wanted) for (const target of targetsOf(byName.get(one)?.fields ?? [])) wanted.add(target);
  return types.filter((type) => wanted.has(type.name));
}

function targetsOf(fields: readonly Field[]): string[] {
  return fields.flatMap(({ to = [] }) => to);
}
