import { Injectable } from '@nestjs/common';
import { Job } from '../../common/jobs/job.decorator.js';
import { JobRunner } from '../../common/jobs/job-runner.js';
import { IndexWork } from './index-work.js';
import { TaxonomyWithdrawals } from './taxonomy-withdrawals.js';
import { TypeRemoval } from './type-removal.js';
import { TypeWatches } from './type-watches.js';

const SWEEP_EVERY_MS = 300_000;
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
    private readonly withdrawals: TaxonomyWithdrawals,
    runner: JobRunner,
  ) {
    // What requests have begun ends as well.
    runner.stopping.addEventListener('abort', () => {
      for (const work of [indexes, removal, withdrawals]) work.stop();
    });
  }

  @Job({ name: 'types.resume-removals', once: 'started', every: RESUME_EVERY_MS, lock: 'builds', failure: FAILURE })
  resumeRemovals(): Promise<void> {
    return this.removal.resume();
  }

  @Job({ name: 'types.drop-unused', once: 'started', every: DROP_EVERY_MS, lock: 'builds', failure: FAILURE })
  dropUnused(): Promise<void> {
    return this.indexes.dropUnused();
  }

  @Job({ name: 'types.resume-builds', once: 'started', every: RESUME_EVERY_MS, lock: 'builds', failure: FAILURE })
  resumeBuilds(): Promise<void> {
    return this.indexes.resumeExpired();
  }

  @Job({
    name: 'types.resume-departures',
    once: 'started',
    every: RESUME_EVERY_MS,
    lock: 'terms',
    failure: 'terms of a taxonomy that a content type no longer has could not be taken away',
  })
  resumeWithdrawals(): Promise<void> {
    return this.withdrawals.resume();
  }

  @Job({ name: 'types.sweep-watches', every: SWEEP_EVERY_MS, lock: 'builds', failure: FAILURE })
  sweepWatches(): Promise<void> {
    return this.watches.sweep();
  }
}
