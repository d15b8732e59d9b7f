import { Injectable } from '@nestjs/common';
import { typeIds } from '../../content-types/store/type-rows.js';
import { Dialect } from '../../database/dialect/dialect.js';
import { holdSharedRow } from '../../database/shared-secret.js';
import { Counters } from '../../database/statements/counters.js';
import { readerOf, Reads, type Reader } from '../../database/statements/reads.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { COUNTERS, driftOf, portionsOf, type CounterTable, type Portion } from './count-drift.js';

/** How many counters of each table are wrong, or were put right. */
export type WrongCounters = Readonly<Record<CounterTable, number>>;

const NONE: WrongCounters = { record_counts: 0, term_counts: 0 };

/** Counts all records, and says how many of the kept numbers are others. */
export async function wrongCounters(reader: Reader): Promise<WrongCounters> {
  const wrong = { ...NONE };
  for await (const portion of portionsOf(reader, await typeIds(reader))) {
    wrong[portion.table] += (await driftOf(reader, portion)).length;
  }
  return wrong;
}

/** Corrects the maintained counters while records are written. */
@Injectable()
export class Recount {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly dialect: Dialect,
  ) {}

  /** Adds to each wrong counter what it lacks, a portion in a unit of work. Returns how many there were. */
  async run(): Promise<WrongCounters> {
    const mended = { ...NONE };
    for await (const portion of portionsOf(this.reads, await typeIds(this.reads))) {
      // Counted without a lock first: hardly any portion is wrong, and on a file others wait for a unit of work.
      if ((await driftOf(this.reads, portion)).length > 0) mended[portion.table] += await this.mend(portion);
    }
    return mended;
  }

  private mend(portion: Portion): Promise<number> {
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
