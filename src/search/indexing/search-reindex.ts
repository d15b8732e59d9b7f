import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dialect } from '../../database/dialect/dialect.js';
import { UnitOfWork, UnitTooOldError } from '../../database/units/unit-of-work.js';
import { UnitPace } from '../../database/units/unit-pace.js';
import { RecordBatches } from './record-batches.js';
import { Reindexing } from './reindexing.js';
import { LostTaskError, IndexingQueue, type IndexingTask } from './indexing-queue.js';

/** What happened in one step. */
export interface ReindexStep {
  /** Records that were gone through, here or by another process. */
  readonly records: number;
  /** Another process has the task at present. */
  readonly isWaiting: boolean;
  readonly isDone: boolean;
}

/** In a process that does nothing else, the larger the faster. */
const MOST_RECORDS = 200;
/** How often another process is looked at that has the task. */
const POLL_MS = 300;
const WAITING: ReindexStep = { records: 0, isWaiting: true, isDone: false };
const DONE: ReindexStep = { records: 0, isWaiting: false, isDone: true };

/** One complete indexing that the caller waits for, done here or, where the service has it, there. */
@Injectable()
export class SearchReindex {
  private task: IndexingTask | null = null;
  private isOurs = false;
  private readonly pace: UnitPace;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: IndexingQueue,
    private readonly batches: RecordBatches,
    private readonly reindexing: Reindexing,
    { hasOneWriter }: Dialect,
  ) {
    this.pace = new UnitPace({ hasOneLock: hasOneWriter, most: MOST_RECORDS });
  }

  /**
   * Continues what was interrupted, or begins anew; with an empty index for all records where it is damaged. Answers how
   * many records are left to do.
   */
  async begin(typeId: number | null): Promise<{ left: number; isResumed: boolean }> {
    if (typeId === null) await this.reindexing.recreateDamaged();
    const [kind, target] = typeId === null ? (['all', 0] as const) : (['type', typeId] as const);
    const earlier = await this.queue.find(kind, target);
    if (!earlier) await this.unitOfWork.run((manager) => this.queue.add(manager, kind, target));
    this.task = earlier ?? (await this.queue.find(kind, target));
    const left = this.task ? await this.batches.count(this.task) : 0;
    return { left, isResumed: earlier !== null && earlier.position > 0 };
  }

  /** All of {@link begin}. The last step has records as well. */
  async *steps(): AsyncGenerator<ReindexStep> {
    for (let isDone = false; !isDone;) {
      const step = await this.step();
      yield step;
      if (step.isWaiting) await sleep(POLL_MS);
      isDone = step.isDone;
    }
  }

  async step(): Promise<ReindexStep> {
    if (!this.task) return DONE;
    return this.isOurs ? this.work(this.task) : this.takeOrWatch(this.task);
  }

  private async work(task: IndexingTask): Promise<ReindexStep> {
    const most = this.pace.capacity;
    try {
      const { task: next, documents, isDone } = await this.pace.run(most, () => this.reindexing.step(task, most));
      this.task = next;
      return { records: documents.length, isWaiting: false, isDone };
    } catch (error) {
      // It was undone, and the next one has fewer.
      if (error instanceof UnitTooOldError && most > 1) return { records: 0, isWaiting: false, isDone: false };
      if (!(error instanceof LostTaskError)) throw error;
      this.isOurs = false;
      return WAITING;
    }
  }

  private async takeOrWatch(task: IndexingTask): Promise<ReindexStep> {
    const taken = await this.queue.take(task);
    this.isOurs = taken !== null;
    this.task = taken ?? (await this.queue.find(task.kind, task.targetId));
    if (this.task === null) return DONE;
    // How far another process has come is known by ids, which is about as many records.
    return { records: Math.max(0, this.task.position - task.position), isWaiting: !this.isOurs, isDone: false };
  }
}
