import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Job } from '../../common/jobs/job.decorator.js';
import { LOG } from '../../common/logging/logging.module.js';
import { KnownWords } from '../answers/known-words.js';
import { Reindexing } from './reindexing.js';
import { SearchIndex } from '../search-index.js';
import { IndexingQueue } from './indexing-queue.js';

const EVERY_MS = 2_000;
/** Few, since no request is answered while SQLite indexes them. */
const RECORDS_PER_STEP = 20;
/** For every millisecond of work; three tenths of the time are for the task. */
const PAUSE_PER_MS = 7 / 3;
const MOST_PAUSE_MS = 1_000;

/** Works off what is to be indexed, in the background. */
@Injectable()
export class IndexingJobs {
  constructor(
    private readonly queue: IndexingQueue,
    private readonly reindexing: Reindexing,
    private readonly words: KnownWords,
    private readonly index: SearchIndex,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  @Job({
    name: 'search.words',
    every: EVERY_MS,
    failure: 'new words were not written down: they are suggested here only until it is tried again',
  })
  keepWords(): Promise<void> {
    return this.words.keep();
  }

  /** Does all that there is to do now. */
  @Job({
    name: 'search.index',
    every: EVERY_MS,
    lock: 'search',
    failure: 'records were not indexed: searches find them as they were until it is tried again',
  })
  async drain(signal?: AbortSignal): Promise<void> {
    await this.index.tidy();
    for (let task = await this.queue.oldest(); task && !signal?.aborted;) {
      if (task.position === 0) this.log.info({ task: task.kind, target: task.targetId }, 'indexing');
      const startedAt = performance.now();
      task = (await this.reindexing.step(task, RECORDS_PER_STEP)).task ?? (await this.queue.oldest());
      await this.index.tidy();
      await sleep(Math.min(MOST_PAUSE_MS, (performance.now() - startedAt) * PAUSE_PER_MS));
    }
  }
}
