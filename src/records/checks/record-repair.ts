import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ValidationError } from '../../common/errors/domain-error.js';
import { ContentTypesService } from '../../content-types/store/content-types.service.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { holdSharedRow } from '../../database/shared-secret.js';
import { Counters } from '../../database/statements/counters.js';
import { readerOf, Reads } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { lockRecords } from '../rows/record-portions.js';
import { valuesOfRecords } from '../types/type-walk.js';
import { deleteIndex, insertIndex } from '../writing/record-index.js';
import { COUNTERS, driftOf, portionsOf, type Portion, type WrongCounters } from './count-drift.js';

const AT_ONCE = 50;

/** Makes what follows from records again, while others write: the rows of the side index, and the counters. */
@Injectable()
export class RecordRepair {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly types: ContentTypesService,
    private readonly dialect: Dialect,
  ) {}

  /**
   * Makes the rows of records from their contents; those in the trash or gone have none.
   *
   * @returns ids of records that stay as they are: they have a value which has to be unique and is another record's
   */
  async index(ids: readonly number[]): Promise<readonly number[]> {
    const taken: number[] = [];
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      taken.push(...(await this.rewrite(ids.slice(start, start + AT_ONCE))));
    }
    return taken;
  }

  /** Adds to each wrong counter what it lacks, a portion in a unit of work. Returns how many there were. */
  async recount(): Promise<WrongCounters> {
    const mended = { record_counts: 0, term_counts: 0 };
    for await (const portion of portionsOf(this.reads)) {
      // Counted without a lock first: hardly any portion is wrong, and on a file others wait for a unit of work.
      if ((await driftOf(this.reads, portion)).length > 0) mended[portion.table] += await this.add(portion);
    }
    return mended;
  }

  /** Several in a unit, and one by one where one of them cannot have its rows. */
  private async rewrite(ids: readonly number[]): Promise<readonly number[]> {
    try {
      await this.unitOfWork.run((manager) => this.write(manager, ids));
      return [];
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      if (ids.length === 1) return ids;
    }
    const taken: number[] = [];
    for (const id of ids) taken.push(...(await this.rewrite([id])));
    return taken;
  }

  /** Holds the records first, as writers do: what is read after that is what the last one left. */
  private async write(manager: EntityManager, ids: readonly number[]): Promise<void> {
    const types = await this.types.all();
    for (const type of types) await this.types.requireCurrent(manager, type);
    const these = { sql: `r.id IN (${placeholders(ids)}) AND r.trashed_at = 0`, values: ids };
    const span = { after: 0, upTo: Number.MAX_SAFE_INTEGER };
    const living = await lockRecords(manager, this.dialect, these, span, ids.length);
    const typeOf = new Map(living.map(({ id, typeId }) => [id, typeId]));
    const kept = await valuesOfRecords(readerOf(manager), [...typeOf.keys()]);
    const gone = ids.filter((id) => !typeOf.has(id));
    for (const id of [...gone, ...kept.map((record) => record.id)]) await deleteIndex(manager, this.dialect, id);
    for (const type of types) {
      const own = kept.filter(({ id }) => typeOf.get(id) === type.id);
      const indexed = own.map(({ id, createdAt, values, terms }) => ({ id, createdAt, state: { values, terms } }));
      if (indexed.length > 0) await insertIndex(manager, type, indexed);
    }
  }

  private add(portion: Portion): Promise<number> {
    const { table } = portion;
    return this.unitOfWork.run(async (manager) => {
      // Recounts take turns: a second one sees what this one has added, and adds nothing.
      await holdSharedRow(manager, this.dialect);
      const drift = await driftOf(readerOf(manager), portion);
      const counters = new Counters(table, COUNTERS[table], this.dialect);
      await counters.add(manager, drift);
      await counters.removeZeros(manager, drift);
      return drift.length;
    });
  }
}
