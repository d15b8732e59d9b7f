import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/caller.js';
import { BatchLoader } from '../../common/concurrency/batch-loader.js';
import { ValidationError, type Fault } from '../../common/errors/domain-error.js';
import type { CompiledType, RecordBody } from '../../content-types/definition/content-type.js';
import { isReference, type Field } from '../../content-types/kinds/field.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { Reads } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import { visibleStatuses } from '../rows/record-access.js';
import type { FieldValues, RecordRow } from '../rows/record-row.js';
import { referencesOf, type Reference } from '../rows/record-views.js';

const MAX_IDS = 1_000;

/** A record that a field of a body points to. */
interface Target {
  readonly field: Field;
  readonly reference: Reference;
}

/** The columns that decide whether a record may be pointed to. */
type RecordHead = Pick<RecordRow, 'id' | 'type_id' | 'status'>;

/** Checks the targets of relations when they are written. */
@Injectable()
export class RelationTargets {
  /** Records that are looked at together share a statement. */
  private readonly heads = new BatchLoader<number, RecordHead>((ids) => this.headsOf(ids));

  constructor(
    private readonly types: ContentTypesService,
    private readonly reads: Reads,
  ) {}

  /**
   * @param before values that the record has had so far: a target that it already points to need not be visible
   * @throws {ValidationError} for every new target that does not exist, or not for the caller
   */
  async requireTargets(type: CompiledType, body: RecordBody, caller: Caller, before: FieldValues = {}): Promise<void> {
    const missing = await this.missingTargets(type, body, caller, before);
    if (missing.length === 0) return;
    throw new ValidationError(missing.map(missingTarget));
  }

  /** Every new target that does not exist, or not for the caller. */
  async missingTargets(
    type: CompiledType,
    body: RecordBody,
    caller: Caller,
    before: FieldValues = {},
  ): Promise<readonly Target[]> {
    const asked: Target[] = [];
    for (const field of type.fields) {
      if (body[field.name] == null || !isReference(field)) continue;
      const known = new Set(referencesOf(before[field.id]).map(({ id }) => id));
      for (const reference of referencesOf(body[field.name])) {
        if (!known.has(reference.id)) asked.push({ field, reference });
      }
    }
    if (asked.length === 0) return [];
    const ids = [...new Set(asked.map(({ reference }) => reference.id))];
    const found = await Promise.all(ids.map((id) => this.heads.get(id)));
    const visible = await this.visibleAmong(
      found.filter((head) => head !== undefined),
      caller,
    );
    return asked.filter(({ reference: { id, type: name } }) => visible.get(id) !== name);
  }

  /** The names of their types, of those records that the caller may see, by id. */
  private async visibleAmong(heads: readonly RecordHead[], caller: Caller): Promise<ReadonlyMap<number, string>> {
    const visible = new Map<number, string>();
    for (const typeId of new Set(heads.map(({ type_id: id }) => id))) {
      const type = await this.types.byId(typeId);
      if (!type) continue;
      const statuses = visibleStatuses(caller, type);
      for (const { id, type_id: own, status } of heads) {
        if (own === typeId && statuses.includes(status)) visible.set(id, type.name);
      }
    }
    return visible;
  }

  /** The heads of the targets of relations, by id. Records in the trash are left out. */
  private async headsOf(ids: readonly number[]): Promise<ReadonlyMap<number, RecordHead>> {
    const found = new Map<number, RecordHead>();
    for (let start = 0; start < ids.length; start += MAX_IDS) {
      const some = ids.slice(start, start + MAX_IDS);
      const rows = await this.reads.select<RecordHead>(
        `SELECT id, type_id, status FROM records WHERE id IN (${placeholders(some)}) AND trashed_at = 0`,
        some,
      );
      for (const row of rows) found.set(row.id, row);
    }
    return found;
  }
}

/** The fault of a target that is not there. */
export function missingTarget({ field: { name: field }, reference }: Target): Fault {
  return { field, rule: 'relation', message: `${field}: there is no ${reference.type} with the id ${reference.id}.` };
}
