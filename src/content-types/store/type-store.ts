import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { execute, placeholders, select } from '../../database/statements/statement.js';
import { Freezes } from '../../database/units/freezes.js';
import type { TypeDefinition, TypeOptions } from '../definition/content-type.js';
import type { TypeDraft } from '../definition/definition.js';
import { needsIndex } from '../definition/field-index.js';
import { needsBuild, type AddedField, type KeptField, type TypeChanges } from '../definition/type-changes.js';
import type { Field, FieldOptions } from '../kinds/field.js';
import { REFERENCE_KINDS } from '../kinds/kinds.js';
import { KnownTaxonomiesHost } from './known-taxonomies.port.js';
import { TypeUsageHost } from './type-usage.port.js';
import {
  definitionOf,
  FIELD_COLUMNS,
  storedOptions,
  TYPE_COLUMNS,
  type FieldRow,
  type StoredField,
  type StoredFieldOptions,
  type TypeRow,
} from './type-rows.js';

/** How often a type was changed, and when. Milliseconds since 1970, UTC. */
export interface TypeStamp {
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Fields whose index is to be built, by their keys. */
export interface IndexKeys {
  /** Records may have values in them. */
  readonly rebuilt: readonly number[];
  /** No record had a value in them up to now. */
  readonly inserted: readonly number[];
}

/** A process that fills the index of a field. */
export interface Builder {
  readonly id: string;
  /** How long its lease lasts, milliseconds; 0 or less: it has ended. */
  readonly remaining: number;
}

/** A builder renews its lease several times within this span. Clocks of processes may differ by less than that. */
export const BUILDER_LEASE_MS = 60_000;

/** The statements that read and write types inside a unit of work. */
@Injectable()
export class TypeStore {
  constructor(
    private readonly dialect: Dialect,
    private readonly clock: Clock,
    private readonly taxonomies: KnownTaxonomiesHost,
    private readonly usage: TypeUsageHost,
    private readonly freezes: Freezes,
  ) {}

  /** Whether what records of a type might suffer from is done within {@link whileFrozen} only. */
  get isToBeFrozen(): boolean {
    return this.freezes.areNeeded;
  }

  /**
   * Runs units of work that cost records of a type something, while none is written on any server.
   *
   * @param look refuses beforehand what can be refused without keeping records away
   */
  whileFrozen<Result>(id: number, work: () => Promise<Result>, look?: () => Promise<unknown>): Promise<Result> {
    return this.freezes.around({ table: 'content_types', id }, work, look);
  }

  /** The type as it is now; other units neither change it nor write a record of it until this one ends. */
  async lock(manager: EntityManager, id: number): Promise<TypeDefinition | null> {
    await this.dialect.hold(manager, 'content_types', { sql: 'id = ?', values: [id] });
    return this.read(manager, id);
  }

  /** {@link lock} by the name. */
  async lockByName(manager: EntityManager, name: string): Promise<TypeDefinition | null> {
    const [row] = await select<{ id: number | string }>(manager, 'SELECT id FROM content_types WHERE name = ?', [name]);
    return row ? this.lock(manager, Number(row.id)) : null;
  }

  /** The type as it is now; no other unit changes it until this one ends. */
  async share(manager: EntityManager, id: number): Promise<TypeDefinition | null> {
    return this.read(manager, id, this.dialect.lockInShareMode);
  }

  /** The names of all taxonomies that a type may use. */
  taxonomyNames(): Promise<readonly string[]> {
    return this.taxonomies.get().names();
  }

  /**
   * Holds the types that relations are to point to, and the taxonomies.
   *
   * @throws {ValidationError} one of them has just been deleted
   */
  async holdTargets(manager: EntityManager, { fields, options }: TypeDraft): Promise<void> {
    const gone = await this.taxonomies.get().hold(manager, options.taxonomies);
    if (gone.length > 0) {
      const message = `taxonomies names unknown taxonomies: ${gone.join(', ')}.`;
      throw new ValidationError([{ field: 'taxonomies', rule: 'taxonomy_not_found', message }]);
    }
    const names = [...new Set(fields.flatMap(({ to = [] }) => to))].sort();
    if (names.length === 0) return;
    // The version stands in no index: a server that reads an index alone locks that alone, and not the type.
    const sql = `SELECT name, version FROM content_types WHERE name IN (${placeholders(names)})${this.dialect.lockInShareMode}`;
    const known = new Set((await select<{ name: string }>(manager, sql, names)).map(({ name }) => name));
    const missing = names.filter((name) => !known.has(name));
    if (missing.length === 0) return;
    const message = `fields names unknown content types: ${missing.join(', ')}.`;
    throw new ValidationError([{ field: 'fields', rule: 'type_not_found', message }]);
  }

  /** Fields of other types that point to a type, as `type.field`. */
  async referrers(manager: EntityManager, { id, name }: TypeDefinition): Promise<readonly string[]> {
    const rows = await select<{ type: string; field: string; options: string }>(
      manager,
      `SELECT t.name AS type, f.name AS field, f.options
         FROM content_fields f JOIN content_types t ON t.id = f.type_id
        WHERE f.kind IN (${placeholders(REFERENCE_KINDS)}) AND f.type_id <> ?`,
      [...REFERENCE_KINDS, id],
    );
    return rows
      .filter(({ options }) => (JSON.parse(options) as FieldOptions).to?.includes(name))
      .map(({ type, field }) => `${type}.${field}`);
  }

  async insert(manager: EntityManager, { name, options, fields }: TypeDraft): Promise<void> {
    const at = this.clock.now();
    const id = await this.insertRow(manager, { name, options, version: 1, createdAt: at, updatedAt: at });
    for (const [position, draft] of fields.entries()) await this.insertField(manager, id, { draft, position });
  }

  /** The row of a type, without its fields. Returns its id. */
  async insertRow(
    manager: EntityManager,
    { name, options, version, createdAt, updatedAt }: Omit<TypeDraft, 'fields'> & TypeStamp,
  ): Promise<number> {
    const { insertId } = await execute(
      manager,
      'INSERT INTO content_types (name, options, version, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
      [name, JSON.stringify(options), version, createdAt, updatedAt],
    );
    return insertId;
  }

  /**
   * @param builder of the fields whose index is to be built; `null`: there are no records
   * @returns the keys of these fields
   */
  async update(
    manager: EntityManager,
    type: TypeDefinition,
    { kept, added, removed }: TypeChanges,
    builder: string | null,
  ): Promise<IndexKeys> {
    const gone = removed.map(({ key }) => key);
    if (gone.length > 0) await execute(manager, `DELETE FROM content_fields WHERE id IN (${placeholders(gone)})`, gone);
    await this.updateKept(manager, kept, builder);
    const inserted = await this.insertAdded(manager, type.id, added, builder);
    if (builder === null) return { rebuilt: [], inserted: [] };
    return { rebuilt: kept.filter(needsBuild).map(({ after }) => after.key), inserted };
  }

  /** Makes a type what one of another database is, apart from its fields. */
  async replaceRow(
    manager: EntityManager,
    id: number,
    { options, version, createdAt, updatedAt }: Pick<TypeDraft, 'options'> & TypeStamp,
  ): Promise<void> {
    await execute(
      manager,
      'UPDATE content_types SET options = ?, version = ?, created_at = ?, updated_at = ? WHERE id = ?',
      [JSON.stringify(options), version, createdAt, updatedAt, id],
    );
    // The version of the other database may be the one that this type had.
    await this.restamp(manager, id);
  }

  /** Has every process read the type anew before it writes another record of it. */
  async restamp(manager: EntityManager, id: number): Promise<void> {
    await execute(manager, 'UPDATE content_types SET stamp = ? WHERE id = ?', [randomUUID(), id]);
  }

  /**
   * Writes the settings of a type and counts its version up. Its time lies after all that was written before, whatever
   * the clock says: by it a record that looks different now is distinguished from one that does not.
   */
  async bump(manager: EntityManager, { id, ...type }: TypeOptions & { id: number }): Promise<void> {
    const at = Math.max(this.clock.now(), (await this.usage.get().latestWrite(manager)) + 1);
    const sql = 'UPDATE content_types SET options = ?, version = version + 1, updated_at = ? WHERE id = ?';
    await execute(manager, sql, [JSON.stringify(optionsOf(type)), at, id]);
  }

  /**
   * @param way `key`: where it is to have a certain one; `builder`: who fills its index, where there are records
   * @returns its key
   */
  async insertField(
    manager: EntityManager,
    typeId: number,
    { draft, position }: AddedField,
    { key = null, builder = null }: { key?: number | null; builder?: string | null } = {},
  ): Promise<number> {
    const { insertId } = await execute(
      manager,
      `INSERT INTO content_fields (id, type_id, name, kind, position, options, is_index_complete)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[key, typeId, draft.name, draft.type, position],
        ...[this.stored(draft, builder), builder === null ? 1 : null],
      ],
    );
    return key ?? insertId;
  }

  /** Fields of which it is not known whether the side index has the rows of all records. */
  async incompleteFields(manager: EntityManager): Promise<readonly { typeId: number; fieldKey: number }[]> {
    const sql = 'SELECT id, type_id FROM content_fields WHERE is_index_complete IS NULL ORDER BY id';
    const rows = await select<Pick<FieldRow, 'id' | 'type_id'>>(manager, sql);
    return rows.map((row) => ({ typeId: Number(row.type_id), fieldKey: Number(row.id) }));
  }

  async markComplete(manager: EntityManager, fieldKey: number): Promise<void> {
    await execute(manager, 'UPDATE content_fields SET is_index_complete = 1 WHERE id = ?', [fieldKey]);
  }

  /** Who fills the index of a field at present; `undefined`: it is complete. */
  async builderOf(manager: EntityManager, fieldKey: number): Promise<Builder | undefined> {
    const sql = 'SELECT options FROM content_fields WHERE id = ?';
    const [row] = await select<{ options: string }>(manager, sql, [fieldKey]);
    if (!row) return undefined;
    const { builder, builderUntil } = JSON.parse(row.options) as StoredFieldOptions;
    return builder === undefined ? undefined : { id: builder, remaining: (builderUntil ?? 0) - this.clock.now() };
  }

  /** @param builder who fills its index, for the length of a lease from now; `null`: the index has all records */
  async setField(manager: EntityManager, field: Field, builder: string | null): Promise<void> {
    const sql = 'UPDATE content_fields SET options = ?, is_index_complete = ? WHERE id = ?';
    await execute(manager, sql, [this.stored(field, builder), builder === null ? 1 : null, field.key]);
  }

  async remove(manager: EntityManager, id: number): Promise<void> {
    await execute(manager, 'DELETE FROM content_fields WHERE type_id = ?', [id]);
    await execute(manager, 'DELETE FROM content_types WHERE id = ?', [id]);
  }

  private async updateKept(manager: EntityManager, kept: readonly KeptField[], builder: string | null): Promise<void> {
    // Two fields may swap their names, which the unique index would not let them do one by one.
    for (const { before, after } of kept) {
      if (before.name === after.name) continue;
      await execute(manager, 'UPDATE content_fields SET name = ? WHERE id = ?', [`~${before.key}`, before.key]);
    }
    for (const field of kept) {
      const { after, position } = field;
      await execute(manager, 'UPDATE content_fields SET name = ?, kind = ?, position = ?, options = ? WHERE id = ?', [
        after.name,
        after.type,
        position,
        this.stored(after, needsBuild(field) ? builder : null),
        after.key,
      ]);
    }
  }

  /** @returns the keys of those that need an index */
  private async insertAdded(
    manager: EntityManager,
    typeId: number,
    added: readonly AddedField[],
    builder: string | null,
  ): Promise<number[]> {
    const indexed: number[] = [];
    for (const field of added) {
      const isIndexed = needsIndex(field.draft);
      const key = await this.insertField(manager, typeId, field, { builder: isIndexed ? builder : null });
      if (isIndexed) indexed.push(key);
    }
    return indexed;
  }

  /** @param builder who fills the index of the field; `null`: it is complete */
  private stored(field: StoredField, builder: string | null): string {
    return storedOptions(field, builder === null ? {} : { builder, builderUntil: this.clock.now() + BUILDER_LEASE_MS });
  }

  private async read(manager: EntityManager, id: number, lock = ''): Promise<TypeDefinition | null> {
    const sql = `SELECT ${TYPE_COLUMNS} FROM content_types WHERE id = ?${lock}`;
    const [row] = await select<TypeRow>(manager, sql, [id]);
    if (!row) return null;
    const fields = `SELECT ${FIELD_COLUMNS} FROM content_fields WHERE type_id = ? ORDER BY position, id`;
    return definitionOf(row, await select<FieldRow>(manager, fields, [id]));
  }
}

function optionsOf({
  label,
  label_plural,
  description,
  taxonomies,
  url_path,
  sitemap,
  revisions,
}: TypeOptions): TypeOptions {
  return { label, label_plural, description, taxonomies, url_path, sitemap, revisions };
}
