import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../common/logging/logging.module.js';
import { PartCounts } from './part-counts.js';

const FOLD_EVERY_MS = 5_000;
const DROP_EVERY_MS = 3_600_000;

/** Keeps the counts of the parts short. Several processes may do it at once. */
@Injectable()
export class SitemapChores implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly timers: NodeJS.Timeout[] = [];
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly counts: PartCounts,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.every(FOLD_EVERY_MS, () => this.foldAll());
    this.every(DROP_EVERY_MS, () => this.counts.dropAbandoned());
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
        this.log.error({ err }, 'a chore of the sitemap failed');
      });
    }, ms);
    this.timers.push(timer.unref());
  }
}
