import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Job } from '../../common/jobs/job.decorator.js';
import { LOG } from '../../common/logging/logging.module.js';
import { KnownWords } from '../answers/known-words.js';
import { Reindexing } from './reindexing.js';
import { SearchIndex } from '../search-index.js';
import { LostTaskError, IndexingQueue, type IndexingTask } from './indexing-queue.js';

const EVERY_MS = 2_000;
/** Few, since no request is answered while SQLite indexes them. */
const RECORDS_PER_STEP = 20;
/** For every millisecond of work; three tenths of the time are for the task. */
const PAUSE_PER_MS = 7 / 3;
const MOST_PAUSE_MS = 1_000;

/** Works off what is to be indexed, in the background. Of several processes each takes jobs that no other one has. */
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
    name: 'search.index',
    every: EVERY_MS,
    failure: 'records were not indexed: searches find them as they were until it is tried again',
  })
  async work(signal: AbortSignal): Promise<void> {
    try {
      await this.drain(signal);
    } catch (error) {
      // The process that has the task now goes on with it.
      if (!(error instanceof LostTaskError)) throw error;
    }
  }

  /** Does all that there is to do now. */
  async drain(signal?: AbortSignal): Promise<void> {
    await this.words.keep();
    await this.index.tidy();
    for (;;) {
      const free = signal?.aborted ? null : await this.queue.oldestFree();
      const task = free && (await this.queue.take(free));
      if (!task) return;
      await this.finish(task, signal);
    }
  }

  private async finish(task: IndexingTask, signal?: AbortSignal): Promise<void> {
    this.log.info({ task: task.kind, target: task.targetId, position: task.position }, 'indexing');
    let at: IndexingTask | null = task;
    while (at) {
      if (signal?.aborted) {
        await this.queue.release(at);
        return;
      }
      const startedAt = performance.now();
      const { task: next, isDone } = await this.reindexing.step(at, RECORDS_PER_STEP);
      at = isDone ? null : next;
      await this.index.tidy();
      await sleep(Math.min(MOST_PAUSE_MS, (performance.now() - startedAt) * PAUSE_PER_MS));
    }
    this.log.info({ task: task.kind, target: task.targetId }, 'indexed');
  }
}
