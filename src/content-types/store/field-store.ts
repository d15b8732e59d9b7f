import type { EntityManager } from 'typeorm';
import type { Clock } from '../../common/clock.js';
import { insertRow } from '../../database/statements/statement.js';
import { needsIndex } from '../definition/field-index.js';
import { needsBuild, type AddedField, type KeptField } from '../definition/type-changes.js';
import type { Field } from '../kinds/field.js';
import { ContentField } from './content-type.entity.js';
import { storedOptions, type StoredField, type StoredFieldOptions } from './type-rows.js';

/** A process that fills the index of a field. */
export interface Builder {
  readonly id: string;
  /** Remaining time of its lease, milliseconds; 0 or less: it has ended. */
  readonly remaining: number;
}

/** A builder renews its lease several times within this span. Clocks of processes may differ by less than that. */
export const BUILDER_LEASE_MS = 60_000;

/** The statements that read and write the fields of types inside a unit of work. */
export class FieldStore {
  constructor(private readonly clock: Clock) {}

  /**
   * @param builder the process that fills its index; `null`: there are no records
   * @returns its key
   */
  insert(
    manager: EntityManager,
    typeId: number,
    { draft, position }: AddedField,
    builder: string | null = null,
  ): Promise<number> {
    const { name, type: kind } = draft;
    return insertRow(manager, ContentField, { typeId, name, kind, position, options: this.stored(draft, builder) });
  }

  /** The process that fills the index of a field; `undefined`: the index is complete. */
  async builderOf(manager: EntityManager, fieldKey: number): Promise<Builder | undefined> {
    const field = await manager.findOneBy(ContentField, { id: fieldKey });
    if (!field) return undefined;
    const { builder, builderUntil } = JSON.parse(field.options) as StoredFieldOptions;
    if (builder === undefined) return undefined;
    const remaining = (builderUntil ?? 0) - this.clock.now();
    // A clock was ahead: no lease is so long.
    return { id: builder, remaining: remaining > 2 * BUILDER_LEASE_MS ? 0 : remaining };
  }

  /** @param builder who fills its index, for the length of a lease from now; `null`: the index has all records */
  async update(manager: EntityManager, field: Field, builder: string | null): Promise<void> {
    await manager.update(ContentField, { id: field.key }, { options: this.stored(field, builder) });
  }

  /** @param builder of the indexes that the changes make necessary; `null`: there are no records */
  async updateKept(manager: EntityManager, kept: readonly KeptField[], builder: string | null): Promise<void> {
    // Two fields may swap their names, which the unique index would not let them do one by one.
    for (const { before, after } of kept) {
      if (before.name === after.name) continue;
      await manager.update(ContentField, { id: before.key }, { name: `~${before.key}` });
    }
    for (const field of kept) {
      const { after, position } = field;
      const { key: id, name, type: kind } = after;
      const options = this.stored(after, needsBuild(field) ? builder : null);
      await manager.update(ContentField, { id }, { name, kind, position, options });
    }
  }

  /** @returns the keys of those that need an index */
  async insertAdded(
    manager: EntityManager,
    typeId: number,
    added: readonly AddedField[],
    builder: string | null,
  ): Promise<number[]> {
    const indexed: number[] = [];
    for (const field of added) {
      const isIndexed = needsIndex(field.draft);
      const key = await this.insert(manager, typeId, field, isIndexed ? builder : null);
      if (isIndexed) indexed.push(key);
    }
    return indexed;
  }

  /** @param builder who fills the index of the field; `null`: it is complete */
  private stored(field: StoredField, builder: string | null): string {
    return storedOptions(field, builder === null ? {} : { builder, builderUntil: this.clock.now() + BUILDER_LEASE_MS });
  }
}
