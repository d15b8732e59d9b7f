import { Injectable } from '@nestjs/common';
import { SERVICE } from '../../common/access/caller.js';
import { Job } from '../../common/jobs/job.decorator.js';
import { TaskRetries } from '../../common/jobs/task-retries.js';
import { PendingRemovals } from './pending-removals.js';

const RESUME_EVERY_MS = 60_000;

/** Finishes merges and deletions that a stop or a failure has interrupted. */
@Injectable()
export class TermJobs {
  private readonly resumed = new TaskRetries();

  constructor(private readonly pendingRemovals: PendingRemovals) {}

  @Job({
    name: 'terms.resume-removals',
    once: 'started',
    every: RESUME_EVERY_MS,
    lock: 'terms',
    failure: 'an interrupted merge or deletion of a term could not be finished',
  })
  resume(signal?: AbortSignal): Promise<void> {
    return this.resumed.run(
      this.pendingRemovals.pending(),
      { idOf: ({ termId }) => termId, work: (removed) => this.pendingRemovals.finish(removed, SERVICE) },
      signal,
    );
  }
}
