import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LOG } from '../common/logging/logging.module.js';
import { KnownWords } from './known-words.js';
import { Reindexing } from './reindexing.js';
import { SearchIndex } from './search-index.js';
import { LostJob, SearchJobs, type SearchJob } from './search-jobs.js';

const EVERY_MS = 2_000;
/** Few, since nobody else is answered while SQLite indexes them. */
const RECORDS_PER_STEP = 20;
/** For every millisecond of work; three tenths of the time are for the chore. */
const PAUSE_PER_MS = 7 / 3;
const MOST_PAUSE_MS = 1_000;

/** Works off what is to be indexed, in the background. Of several processes each takes jobs that no other one has. */
@Injectable()
export class SearchChores implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isBusy = false;
  private isStopping = false;

  constructor(
    private readonly jobs: SearchJobs,
    private readonly reindexing: Reindexing,
    private readonly words: KnownWords,
    private readonly index: SearchIndex,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.work();
    }, EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  private work(): void {
    if (this.isBusy) return;
    this.isBusy = true;
    this.running = this.drain()
      .catch((err: unknown) => {
        if (!(err instanceof LostJob)) this.log.error({ err }, 'a chore of the search failed');
      })
      .finally(() => {
        this.isBusy = false;
      });
  }

  /** Does all that there is to do now. */
  async drain(): Promise<void> {
    await this.words.keep();
    await this.index.tidy();
    for (;;) {
      const free = this.isStopping ? null : await this.jobs.oldestFree();
      const job = free && (await this.jobs.take(free));
      if (!job) return;
      await this.finish(job);
    }
  }

  private async finish(job: SearchJob): Promise<void> {
    this.log.info({ job: job.kind, target: job.targetId, position: job.position }, 'indexing');
    let at: SearchJob | null = job;
    while (at) {
      if (this.isStopping) {
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
