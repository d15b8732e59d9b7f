import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ValidationError } from '../../common/errors/domain-error.js';
import type { CompiledType } from '../../content-types/definition/content-type.js';
import { IndexBuilder } from '../../content-types/changes/index-builder.js';
import { ContentTypesService, StaleTypeError } from '../../content-types/store/content-types.service.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { readerOf } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { lockRecords } from '../rows/record-portions.js';
import { valuesOfRecords } from '../types/type-walk.js';
import { deleteIndex, insertIndex } from '../writing/record-index.js';
import type { SideIndexFaults } from './side-index-check.js';

/** The numbers of what was mended, and the records that could not be. */
export interface MendedIndex {
  readonly records: number;
  readonly leftOver: number;
  readonly fields: number;
  /** Ids of records that have a value which has to be unique and is another record's. */
  readonly taken: readonly number[];
}

const AT_ONCE = 50;

/** Makes the rows of the side index anew from the contents of records, while others write. */
@Injectable()
export class SideIndexRepair {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly types: ContentTypesService,
    private readonly builder: IndexBuilder,
    private readonly dialect: Dialect,
  ) {}

  /** @param faults what is still so when its turn comes is mended */
  async run({ records, leftOver, fields }: SideIndexFaults): Promise<MendedIndex> {
    const taken: number[] = [];
    let mended = 0;
    for (const [typeId, ids] of records) {
      for (const some of portions(ids)) mended += await this.mend(typeId, some, taken);
    }
    let dropped = 0;
    for (const some of portions(leftOver)) dropped += await this.drop(some);
    if (fields.length > 0) for (const field of await this.builder.unusedFields()) await this.builder.drop(field);
    return { records: mended, leftOver: dropped, fields: fields.length, taken };
  }

  /** Several in a unit, and one by one where one of them cannot have its rows. */
  private async mend(typeId: number, ids: readonly number[], taken: number[]): Promise<number> {
    try {
      return await this.whileTypeStands(typeId, (type) =>
        this.unitOfWork.run((manager) => this.rewrite(manager, type, ids)),
      );
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
    }
    const [one, ...others] = ids;
    if (one !== undefined && others.length === 0) {
      taken.push(one);
      return 0;
    }
    let mended = 0;
    for (const id of ids) mended += await this.mend(typeId, [id], taken);
    return mended;
  }

  /** Holds the records first, as writers do: what is read after that is what the last one left. */
  private async rewrite(manager: EntityManager, type: CompiledType, ids: readonly number[]): Promise<number> {
    await this.types.requireCurrent(manager, type);
    const living = await this.lockLiving(manager, ids);
    const kept = await valuesOfRecords(readerOf(manager), living);
    for (const { id } of kept) await deleteIndex(manager, this.dialect, id);
    const indexed = kept.map(({ id, createdAt, values, terms }) => ({ id, createdAt, state: { values, terms } }));
    await insertIndex(manager, type, indexed);
    return kept.length;
  }

  private drop(ids: readonly number[]): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      const living = await this.lockLiving(manager, ids);
      const gone = ids.filter((id) => !living.includes(id));
      for (const id of gone) await deleteIndex(manager, this.dialect, id);
      return gone.length;
    });
  }

  /** Those outside the trash. */
  private async lockLiving(manager: EntityManager, ids: readonly number[]): Promise<number[]> {
    const these = { sql: `r.id IN (${placeholders(ids)}) AND r.trashed_at = 0`, values: ids };
    const span = { after: 0, upTo: Number.MAX_SAFE_INTEGER };
    return (await lockRecords(manager, this.dialect, these, span, ids.length)).map(({ id }) => id);
  }

  private async whileTypeStands(typeId: number, work: (type: CompiledType) => Promise<number>): Promise<number> {
    for (;;) {
      const type = await this.types.byId(typeId);
      if (!type) return 0;
      try {
        return await work(type);
      } catch (error) {
        if (!(error instanceof StaleTypeError)) throw error;
      }
    }
  }
}

function* portions(ids: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; start < ids.length; start += AT_ONCE) yield ids.slice(start, start + AT_ONCE);
}
