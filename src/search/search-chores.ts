import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LOG } from '../common/logging/logging.module.js';
import { KnownWords } from './known-words.js';
import { Reindexing } from './reindexing.js';
import { SearchIndex } from './search-index.js';
import { LostJob, SearchJobs, type SearchJob } from './search-jobs.js';

const EVERY_MS = 2_000;
/** Between two batches others may write. */
const PAUSE_MS = 20;

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
      const { job: next, isDone } = await this.reindexing.step(at);
      at = isDone ? null : next;
      await sleep(PAUSE_MS);
    }
    this.log.info({ job: job.kind, target: job.targetId }, 'indexed');
  }
}
