import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chores } from '../../common/chores.js';
import { LOG } from '../../common/logging/logging.module.js';
import { RetentionQueue } from './retention-queue.js';
import { RetentionService } from './retention.service.js';
import { asUnavailable } from '../../database/database-error.js';

const EVERY_MS = 5_000;
const BATCH = 200;
/** All records are looked at when the service has run for so long, and as often again. */
const ALL_EVERY_MS = 12 * 3_600_000;
const FIRST_ALL_MS = 60_000;
/** Leaves room for those who wait. */
const PAUSE_MS = 50;

/** Drops revisions that are not kept any more, beside everything else and in small steps. */
@Injectable()
export class RetentionChores implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;
  private allDueAt = performance.now() + FIRST_ALL_MS;

  constructor(
    private readonly retention: RetentionService,
    private readonly queue: RetentionQueue,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(log, 'old revisions could not be dropped', asUnavailable);
  }

  onApplicationBootstrap(): void {
    this.chores.every(EVERY_MS, () => this.work());
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }

  /** Does what is due. */
  async work(): Promise<void> {
    for (let ids = this.queue.take(BATCH); ids.length > 0 && !this.chores.isStopping; ids = this.queue.take(BATCH)) {
      await this.retention.shorten(ids);
    }
    if (this.queue.takeAll() || performance.now() >= this.allDueAt) await this.all();
  }

  /** An interrupted look at all records begins anew with the next start. */
  private async all(): Promise<void> {
    this.allDueAt = performance.now() + ALL_EVERY_MS;
    for (let last: number | null = 0; last !== null && !this.chores.isStopping;) {
      last = await this.retention.shortenAfter(last);
      await sleep(PAUSE_MS);
    }
  }
}
