import { Injectable } from '@nestjs/common';
import { Job } from '../../common/jobs/job.decorator.js';
import { JobRunner } from '../../common/jobs/job-runner.js';
import { TaxonomyWithdrawals } from './taxonomy-withdrawals.js';

const RESUME_EVERY_MS = 60_000;

/** Resumes withdrawals of terms that a stop or a failure has interrupted. */
@Injectable()
export class TaxonomyWithdrawalJobs {
  constructor(
    private readonly withdrawals: TaxonomyWithdrawals,
    runner: JobRunner,
  ) {
    // What requests have begun ends as well.
    runner.stopping.addEventListener('abort', () => {
      this.withdrawals.stop();
    });
  }

  @Job({
    name: 'types.resume-departures',
    once: 'started',
    every: RESUME_EVERY_MS,
    lock: 'terms',
    failure: 'terms of a taxonomy that a content type no longer has could not be taken away',
  })
  resume(): Promise<void> {
    return this.withdrawals.resume();
  }
}
