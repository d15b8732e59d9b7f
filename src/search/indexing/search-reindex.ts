import { Injectable } from '@nestjs/common';
import { Dialect } from '../../database/dialect/dialect.js';
import { UnitOfWork } from '../../database/units/unit-of-work.js';
import { UnitPace } from '../../database/units/unit-pace.js';
import { RecordBatches } from './record-batches.js';
import { Reindexing } from './reindexing.js';
import { LostJob, SearchJobs, type SearchJob } from './search-jobs.js';

/** What happened in one step. */
export interface ReindexStep {
  /** Records that were gone through, here or by another process. */
  readonly records: number;
  /** Another process has the job at present. */
  readonly isWaiting: boolean;
  readonly isDone: boolean;
}

/** In a process that does nothing else, the larger the faster. */
const MOST_RECORDS = 200;
const WAITING: ReindexStep = { records: 0, isWaiting: true, isDone: false };
const DONE: ReindexStep = { records: 0, isWaiting: false, isDone: true };

/** One complete indexing that the caller waits for, done here or, where the service has it, there. */
@Injectable()
export class SearchReindex {
  private job: SearchJob | null = null;
  private isOurs = false;
  private readonly pace: UnitPace;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: SearchJobs,
    private readonly batches: RecordBatches,
    private readonly reindexing: Reindexing,
    dialect: Dialect,
  ) {
    this.pace = new UnitPace(dialect.hasOneWriter, MOST_RECORDS);
  }

  /** Continues what was interrupted, or begins anew. Answers how many records are left to do. */
  async begin(typeId: number | null): Promise<{ left: number; isResumed: boolean }> {
    const [kind, target] = typeId === null ? (['all', 0] as const) : (['type', typeId] as const);
    const earlier = await this.jobs.find(kind, target);
    if (!earlier) await this.unitOfWork.run((manager) => this.jobs.add(manager, kind, target));
    this.job = earlier ?? (await this.jobs.find(kind, target));
    const left = this.job ? await this.batches.count(this.job) : 0;
    return { left, isResumed: earlier !== null && earlier.position > 0 };
  }

  async step(): Promise<ReindexStep> {
    if (!this.job) return DONE;
    return this.isOurs ? this.work(this.job) : this.takeOrWatch(this.job);
  }

  private async work(job: SearchJob): Promise<ReindexStep> {
    try {
      const most = this.pace.room;
      const { job: next, documents, isDone } = await this.pace.run(most, () => this.reindexing.step(job, most));
      this.job = next;
      return { records: documents.length, isWaiting: false, isDone };
    } catch (error) {
      if (!(error instanceof LostJob)) throw error;
      this.isOurs = false;
      return WAITING;
    }
  }

  private async takeOrWatch(job: SearchJob): Promise<ReindexStep> {
    const taken = await this.jobs.take(job);
    this.isOurs = taken !== null;
    this.job = taken ?? (await this.jobs.find(job.kind, job.targetId));
    if (this.job === null) return DONE;
    // How far another process has come is known by ids, which is about as many records.
    return { records: Math.max(0, this.job.position - job.position), isWaiting: !this.isOurs, isDone: false };
  }
}
