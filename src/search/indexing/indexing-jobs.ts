import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Job } from '../../common/jobs/job.decorator.js';
import { LOG } from '../../common/logging/logging.module.js';
import { KnownWords } from '../answers/known-words.js';
import { Reindexing } from './reindexing.js';
import { SearchIndex } from '../search-index.js';
import { LostJob, SearchJobs, type SearchJob } from './search-jobs.js';

const EVERY_MS = 2_000;
/** Few, since no request is answered while SQLite indexes them. */
const RECORDS_PER_STEP = 20;
/** For every millisecond of work; three tenths of the time are for the job. */
const PAUSE_PER_MS = 7 / 3;
const MOST_PAUSE_MS = 1_000;

/** Works off what is to be indexed, in the background. Of several processes each takes jobs that no other one has. */
@Injectable()
export class IndexingJobs {
  constructor(
    private readonly jobs: SearchJobs,
    private readonly reindexing: Reindexing,
    private readonly words: KnownWords,
    private readonly index: SearchIndex,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  @Job({ name: 'search.index', every: EVERY_MS, failure: 'a job of the search failed' })
  async work(signal: AbortSignal): Promise<void> {
    try {
      await this.drain(signal);
    } catch (error) {
      // The process that has the job now goes on with it.
      if (!(error instanceof LostJob)) throw error;
    }
  }

  /** Does all that there is to do now. */
  async drain(signal?: AbortSignal): Promise<void> {
    await this.words.keep();
    await this.index.tidy();
    for (;;) {
      const free = signal?.aborted ? null : await this.jobs.oldestFree();
      const job = free && (await this.jobs.take(free));
      if (!job) return;
      await this.finish(job, signal);
    }
  }

  private async finish(job: SearchJob, signal?: AbortSignal): Promise<void> {
    this.log.info({ job: job.kind, target: job.targetId, position: job.position }, 'indexing');
    let at: SearchJob | null = job;
    while (at) {
      if (signal?.aborted) {
        await this.jobs.release(job);
        return;
      }
      const startedAt = performance.now();
      const { job: next, isDone } = await this.reindexing.step(at, RECORDS_PER_STEP);
      at = isDone ? null : next;
      await sleep(Math.min(MOST_PAUSE_MS, (performance.now() - startedAt) * PAUSE_PER_MS));
    }
    this.log.info({ job: job.kind, target: job.targetId }, 'indexed');
  }
}
