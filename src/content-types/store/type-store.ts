import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { In, type EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { DomainError, ValidationError } from '../../common/errors/domain-error.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { readerOf } from '../../database/statements/reads.js';
import { insertRow, placeholders, select } from '../../database/statements/statement.js';
import { canShareAddress } from '../definition/addresses.js';
import type { TypeDefinition, TypeOptions } from '../definition/content-type.js';
import type { TypeDraft } from '../definition/definition.js';
import { needsBuild, type TypeChanges } from '../definition/type-changes.js';
import type { FieldOptions } from '../kinds/field.js';
import { REFERENCE_KINDS } from '../kinds/kinds.js';
import { ContentField, ContentType } from './content-type.entity.js';
import { FieldStore } from './field-store.js';
import { KnownTaxonomiesHost } from './known-taxonomies.port.js';
import { TypeUsageHost } from './type-usage.port.js';
import { allTypeOptions, definitionOf, FIELD_ORDER, TYPE_COLUMNS, type TypeRow } from './type-rows.js';

/** Fields whose index is to be built, by their keys. */
export interface IndexKeys {
  /** Records may have values in them. */
  readonly rebuilt: readonly number[];
  /** No record had a value in them up to now. */
  readonly inserted: readonly number[];
}

/** The statements that read and write types inside a unit of work. */
@Injectable()
export class TypeStore {
  readonly fields: FieldStore;

  constructor(
    private readonly dialect: Dialect,
    private readonly clock: Clock,
    private readonly taxonomies: KnownTaxonomiesHost,
    private readonly usage: TypeUsageHost,
  ) {
    this.fields = new FieldStore(clock);
  }

  /** The type as it is now; other units neither change it nor write a record of it until this one ends. */
  async lock(manager: EntityManager, id: number): Promise<TypeDefinition | null> {
    await this.dialect.hold(manager, 'content_types', { sql: 'id = ?', values: [id] });
    return this.read(manager, id);
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

  /**
   * Sees to it that no record of the type can have the address of a record of another type.
   *
   * @throws {DomainError} `type_in_use`
   */
  async requireOwnPath(manager: EntityManager, { name, options }: TypeDraft): Promise<void> {
    const all = await allTypeOptions(readerOf(manager), this.dialect.lockInShareMode);
    const types = all.filter((type) => type.name !== name);
    const own = { name, url_path: options.url_path };
    const other = types.find((type) => canShareAddress(own, { name: type.name, url_path: type.options.url_path }));
    if (!other) return;
    const message = `Records of ${other.name} can have the addresses of ${own.url_path} too. Choose another url_path.`;
    throw new DomainError('type_in_use', message);
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
    const type = { name, options: JSON.stringify(options), version: 1, createdAt: at, updatedAt: at };
    const id = await insertRow(manager, ContentType, type);
    for (const [position, draft] of fields.entries()) await this.fields.insert(manager, id, { draft, position });
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
    if (gone.length > 0) await manager.delete(ContentField, { id: In(gone) });
    await this.fields.updateKept(manager, kept, builder);
    const inserted = await this.fields.insertAdded(manager, type.id, added, builder);
    if (builder === null) return { rebuilt: [], inserted: [] };
    return { rebuilt: kept.filter(needsBuild).map(({ after }) => after.key), inserted };
  }

  /** Has every process read the type anew before it writes another record of it. */
  async restamp(manager: EntityManager, id: number): Promise<void> {
    await manager.update(ContentType, { id }, { stamp: randomUUID() });
  }

  /**
   * Writes the settings of a type and counts its version up. Its time lies after all that was written before, whatever
   * the clock says: by it a record that looks different now is distinguished from one that does not.
   */
  async bump(manager: EntityManager, { id, ...type }: TypeOptions & { id: number }): Promise<void> {
    const at = Math.max(this.clock.now(), (await this.usage.get().latestWrite(manager)) + 1);
    const options = JSON.stringify(optionsOf(type));
    await manager.update(ContentType, { id }, { options, version: () => 'version + 1', updatedAt: at });
  }

  async remove(manager: EntityManager, id: number): Promise<void> {
    await manager.delete(ContentField, { typeId: id });
    await manager.delete(ContentType, { id });
  }

  private async read(manager: EntityManager, id: number, lock = ''): Promise<TypeDefinition | null> {
    const sql = `SELECT ${TYPE_COLUMNS} FROM content_types WHERE id = ?${lock}`;
    const [row] = await select<TypeRow>(manager, sql, [id]);
    if (!row) return null;
    return definitionOf(row, await manager.find(ContentField, { where: { typeId: id }, order: FIELD_ORDER }));
  }
}

function optionsOf({
  label,
  label_plural,
  description,
  taxonomies,
  url_path,
  sitemap,
  body,
  revisions,
}: TypeOptions): TypeOptions {
  return { label, label_plural, description, taxonomies, url_path, sitemap, body, revisions };
}
