import { In } from 'typeorm';
import type { Reader } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import type { FieldDraft } from '../definition/field-definition.js';
import type { TypeDefinition, TypeOptions } from '../definition/content-type.js';
import type { Field, FieldOptions } from '../kinds/field.js';
import type { FieldKind } from '../kinds/kinds.js';
import { ContentField, ContentType } from './content-type.entity.js';
import { readOptions } from './stored-options.js';

/** A row of `content_types`. */
export interface TypeRow {
  readonly id: number | string;
  readonly name: string;
  readonly options: string;
  readonly version: number;
  readonly stamp: string | null;
  /** Changes under way that have to learn which records are written. */
  readonly watches: number | string;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

/** The options of a field that its row keeps as JSON. */
export interface StoredFieldOptions extends FieldOptions {
  /** The process that fills the index of the field at present; absent: the index is complete. */
  readonly builder?: string;
  /** End of the builder's lease, milliseconds since 1970, UTC. */
  readonly builderUntil?: number;
}

export type StoredField = FieldDraft & Partial<Pick<Field, 'key' | 'building'>>;

/** The JSON in the row of a field; other options have columns of their own. */
export function storedOptions(field: StoredField, build: Pick<StoredFieldOptions, 'builder' | 'builderUntil'>): string {
  const { id: _id, name: _name, type: _type, key: _key, building: _building, ...rules } = field;
  return JSON.stringify({ ...rules, ...build } satisfies StoredFieldOptions);
}

const WATCHES = '(SELECT COUNT(*) FROM type_watches w WHERE w.type_id = content_types.id) AS watches';
export const TYPE_COLUMNS = `id, name, options, version, stamp, created_at, updated_at, ${WATCHES}`;
/** The order of the fields of a type. */
export const FIELD_ORDER = { position: 'ASC', id: 'ASC' } as const;

/** The rows of types as a statement calls them: `t`, with their id as `t.id`. */
export const TYPE_ROWS = 'content_types t';

/** A condition on a column with the id of a type: there is no such type. */
export function isOfNoType(column: string): string {
  return `${column} NOT IN (SELECT id FROM content_types)`;
}

/** The name of a type as the reader sees it; `null`: there is none. */
export async function typeNameOf(reader: Reader, id: number): Promise<string | null> {
  const type = await reader.of(ContentType).findOne({ select: { id: true, name: true }, where: { id } });
  return type?.name ?? null;
}

/** The settings of all types by name, without their fields, as the reader sees them. @param lock what the statement ends with */
export async function allTypeOptions(
  reader: Reader,
  lock = '',
): Promise<readonly { readonly id: number; readonly name: string; readonly options: TypeOptions }[]> {
  const rows = await reader.select<Pick<TypeRow, 'id' | 'name' | 'options'>>(
    `SELECT id, name, options FROM content_types ORDER BY name${lock}`,
  );
  return rows.map((row) => ({ id: Number(row.id), name: row.name, options: typeOptionsOf(row) }));
}

/**
 * All types by name, with their fields in order, as the reader sees them.
 *
 * @throws {Error} the options of a type or a field are no JSON object
 */
export async function allDefinitions(reader: Reader): Promise<TypeDefinition[]> {
  const types = await reader.select<TypeRow>(`SELECT ${TYPE_COLUMNS} FROM content_types ORDER BY name`);
  return withFields(types, await reader.of(ContentField).find({ order: FIELD_ORDER }));
}

/**
 * The types of these ids with their fields in order, as the reader sees them. Types are read before fields: fields may be
 * newer than the version of their type, never older.
 */
export async function definitionsOf(reader: Reader, ids: readonly number[]): Promise<TypeDefinition[]> {
  const these = placeholders(ids);
  const types = await reader.select<TypeRow>(`SELECT ${TYPE_COLUMNS} FROM content_types WHERE id IN (${these})`, ids);
  const fields = await reader.of(ContentField).find({ where: { typeId: In(ids) }, order: FIELD_ORDER });
  return withFields(types, fields);
}

function withFields(types: readonly TypeRow[], fields: readonly ContentField[]): TypeDefinition[] {
  const byType = new Map<number, ContentField[]>(types.map(({ id }) => [Number(id), []]));
  for (const field of fields) byType.get(field.typeId)?.push(field);
  return types.map((row) => definitionOf(row, byType.get(Number(row.id)) ?? []));
}

/** A type out of its row and the rows of its fields, which are in order. */
export function definitionOf(row: TypeRow, fields: readonly ContentField[]): TypeDefinition {
  return {
    ...typeOptionsOf(row),
    id: Number(row.id),
    name: row.name,
    fields: fields.map((field) => fieldOf(row, field)),
    version: row.version,
    ...(row.stamp === null ? {} : { stamp: row.stamp }),
    ...(Number(row.watches) === 0 ? {} : { isWatched: true }),
    created_at: Number(row.created_at),
    updated_at: Number(row.updated_at),
  };
}

function typeOptionsOf(row: Pick<TypeRow, 'id' | 'name' | 'options'>): TypeOptions {
  return { body: 'markdown', ...readOptions({ ...row, table: 'content_types' }) } as TypeOptions;
}

function fieldOf(type: Pick<TypeRow, 'name'>, { id: key, name, kind, options }: ContentField): Field {
  const row = { table: 'content_fields', id: key, name: `${type.name}.${name}`, options } as const;
  const { builder, builderUntil: _until, ...rules } = readOptions(row) as StoredFieldOptions;
  return {
    key,
    id: fieldId(key),
    name,
    type: kind as FieldKind,
    ...rules,
    ...(builder === undefined ? {} : { building: true }),
  };
}

/** 4211 -> `f_38z` */
function fieldId(key: number): string {
  return `f_${key.toString(36)}`;
}
