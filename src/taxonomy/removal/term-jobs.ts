import { Injectable } from '@nestjs/common';
import { SERVICE } from '../../common/access/caller.js';
import { Job } from '../../common/jobs/job.decorator.js';
import { PendingRemovals } from './pending-removals.js';

const RESUME_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 60_000;

/** Finishes merges and deletions that a stop or a failure has interrupted, and on a cluster sweeps for what they missed. */
@Injectable()
export class TermJobs {
  constructor(private readonly pendingRemovals: PendingRemovals) {}

  @Job({
    name: 'terms.resume-removals',
    once: 'started',
    every: RESUME_EVERY_MS,
    lease: 'terms',
    failure: 'an interrupted merge or deletion of a term could not be finished',
  })
  async resume(signal?: AbortSignal): Promise<void> {
    for await (const removed of this.pendingRemovals.pending()) {
      if (signal?.aborted) return;
      await this.pendingRemovals.finish(removed, SERVICE);
    }
  }

  @Job({
    name: 'terms.sweep-removed',
    every: SWEEP_EVERY_MS,
    lease: 'terms',
    failure: 'records could not be looked through once more for terms that are gone',
  })
  sweep(signal?: AbortSignal): Promise<void> {
    return this.pendingRemovals.sweep(SERVICE, signal);
  }
}
