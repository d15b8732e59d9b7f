import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Chores } from '../common/chores.js';
import { LOG } from '../common/logging/logging.module.js';
import { PartCounts } from './part-counts.js';
import { asUnavailable } from '../database/database-error.js';

const FOLD_EVERY_MS = 5_000;
const DROP_EVERY_MS = 3_600_000;

/** Keeps the counts of the parts short. Several processes may do it at once. */
@Injectable()
export class SitemapChores implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly counts: PartCounts,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(log, 'a chore of the sitemap failed', asUnavailable);
  }

  onApplicationBootstrap(): void {
    this.chores.every(FOLD_EVERY_MS, () => this.foldAll());
    this.chores.every(DROP_EVERY_MS, () => this.counts.dropAbandoned());
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }

  private async foldAll(): Promise<void> {
    while ((await this.counts.fold()) > 0);
  }
}
