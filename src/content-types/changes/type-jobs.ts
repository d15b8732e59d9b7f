import { Injectable } from '@nestjs/common';
import { Job } from '../../common/jobs/job.decorator.js';
import { JobRunner } from '../../common/jobs/job-runner.js';
import { IndexWork } from './index-work.js';
import { TypeRemoval } from './type-removal.js';
import { TypeWatches } from './type-watches.js';

const SWEEP_EVERY_MS = 300_000;
const RETRY_EVERY_MS = 15_000;
const RESUME_EVERY_MS = 60_000;
const DROP_EVERY_MS = 3_600_000;
const FAILURE = 'an interrupted change of a content type could not be finished';

/** Finishes at start what a stop has interrupted, and later on what a failure or the end of another process has. */
@Injectable()
export class TypeJobs {
  constructor(
    private readonly indexes: IndexWork,
    private readonly removal: TypeRemoval,
    private readonly watches: TypeWatches,
    runner: JobRunner,
  ) {
    // What requests have begun ends as well.
    runner.stopping.addEventListener('abort', () => {
      this.stop();
    });
  }

  @Job({ name: 'types.resume-removals', once: 'started', every: RESUME_EVERY_MS, lock: 'builds', failure: FAILURE })
  resumeRemovals(): Promise<void> {
    return this.removal.resume();
  }

  @Job({ name: 'types.resume-builds', once: 'started', failure: FAILURE })
  resumeBuilds(): Promise<void> {
    return this.indexes.resume();
  }

  @Job({ name: 'types.drop-unused', once: 'started', every: DROP_EVERY_MS, lock: 'builds', failure: FAILURE })
  dropUnused(): Promise<void> {
    return this.indexes.dropUnused();
  }

  @Job({ name: 'types.retry-builds', every: RETRY_EVERY_MS, failure: FAILURE })
  retryBuilds(): Promise<void> {
    return this.indexes.retry();
  }

  @Job({ name: 'types.resume-expired-builds', every: RESUME_EVERY_MS, lock: 'builds', failure: FAILURE })
  resumeExpiredBuilds(): Promise<void> {
    return this.indexes.resumeExpired();
  }

  @Job({ name: 'types.sweep-watches', every: SWEEP_EVERY_MS, lock: 'builds', failure: FAILURE })
  sweepWatches(): Promise<void> {
    return this.watches.sweep();
  }

  private stop(): void {
    this.indexes.stop();
    this.removal.stop();
  }
}
