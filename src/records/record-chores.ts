import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../common/clock.js';
import { LOG } from '../common/logging/logging.module.js';
import { RecordCounts } from './record-counts.js';
import { Trash } from './trash.js';

const FOLD_EVERY_MS = 5_000;
const PURGE_EVERY_MS = 3_600_000;
const TRASH_DAYS = 30;
const DAY_MS = 86_400_000;

/** What has to be done from time to time and by nobody in particular. Several processes may do it at once. */
@Injectable()
export class RecordChores implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly timers: NodeJS.Timeout[] = [];
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly counts: RecordCounts,
    private readonly trash: Trash,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.every(FOLD_EVERY_MS, () => this.foldAll());
    this.every(PURGE_EVERY_MS, () => this.trash.purge(this.clock.now() - TRASH_DAYS * DAY_MS));
  }

  async onModuleDestroy(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await this.running;
  }

  private async foldAll(): Promise<void> {
    while ((await this.counts.fold()) > 0);
  }

  private every(ms: number, work: () => Promise<unknown>): void {
    const timer = setInterval(() => {
      this.running = this.running.then(work).catch((err: unknown) => {
        this.log.error({ err }, 'a chore of the records failed');
      });
    }, ms);
    this.timers.push(timer.unref());
  }
}
