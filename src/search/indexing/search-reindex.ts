import { Injectable } from '@nestjs/common';
import { Dialect } from '../../database/dialect/dialect.js';
import { UnitOfWork, UnitTooOldError } from '../../database/units/unit-of-work.js';
import { UnitPace } from '../../database/units/unit-pace.js';
import type { IndexedRecord } from '../search-index.js';
import { RecordBatches } from './record-batches.js';
import { Reindexing } from './reindexing.js';
import { IndexingQueue, type IndexingTask } from './indexing-queue.js';

/** A complete indexing, before it is done or continued. */
export interface BegunReindex {
  readonly task: IndexingTask | null;
  /** Number of records that are left to do. */
  readonly left: number;
  readonly isResumed: boolean;
}

/** In a process that does nothing else, the larger the faster. */
const MOST_RECORDS = 200;

/** Indexing that the caller waits for. The service may run: it and this one share the work then. */
@Injectable()
export class SearchReindex {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: IndexingQueue,
    private readonly batches: RecordBatches,
    private readonly reindexing: Reindexing,
    private readonly dialect: Dialect,
  ) {}

  /** Continues what was interrupted, or begins anew. */
  async begin(typeId: number | null): Promise<BegunReindex> {
    const [kind, target] = typeId === null ? (['all', 0] as const) : (['type', typeId] as const);
    const earlier = await this.queue.find(kind, target);
    if (!earlier) await this.unitOfWork.run((manager) => this.queue.add(manager, kind, target));
    const task = earlier ?? (await this.queue.find(kind, target));
    const left = task ? await this.batches.count(task) : 0;
    return { task, left, isResumed: earlier !== null && earlier.position > 0 };
  }

  /** Does a task to its end. Answers after each part how many records it had. */
  async *steps(begun: IndexingTask | null): AsyncGenerator<number> {
    const pace = new UnitPace({ hasOneLock: this.dialect.hasOneWriter, most: MOST_RECORDS });
    for (let task = begun; task;) {
      const [most, now] = [pace.capacity, task];
      try {
        const { task: next, documents } = await pace.run(most, () => this.reindexing.step(now, most));
        task = next;
        yield documents.length;
      } catch (error) {
        // It was undone, and the next one has fewer.
        if (!(error instanceof UnitTooOldError) || most === 1) throw error;
      }
    }
  }

  /**
   * Makes the index again from all records, while others write.
   *
   * @param leftOver documents to drop: records that are there are indexed again behind them
   */
  async repair(leftOver: readonly IndexedRecord[]): Promise<void> {
    await this.reindexing.drop(leftOver);
    for (let task = await this.queue.oldest(); task; task = await this.queue.oldest()) await this.finish(task);
    await this.finish((await this.begin(null)).task);
  }

  private async finish(task: IndexingTask | null): Promise<void> {
    const steps = this.steps(task);
    while (!(await steps.next()).done);
  }
}
