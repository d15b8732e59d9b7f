import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Chores } from '../common/chores.js';
import { Clock } from '../common/clock.js';
import { LOG } from '../common/logging/logging.module.js';
import { RecordCounts } from './lists/record-counts.js';
import { Trash } from './writing/trash.js';

const FOLD_EVERY_MS = 5_000;
const PURGE_EVERY_MS = 3_600_000;
const TRASH_DAYS = 30;
const DAY_MS = 86_400_000;

/** What has to be done from time to time and by nobody in particular. Several processes may do it at once. */
@Injectable()
export class RecordChores implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly counts: RecordCounts,
    private readonly trash: Trash,
    private readonly clock: Clock,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(log, 'a chore of the records failed');
  }

  onApplicationBootstrap(): void {
    this.chores.every(FOLD_EVERY_MS, () => this.foldAll());
    this.chores.every(PURGE_EVERY_MS, () => this.trash.purge(this.clock.now() - TRASH_DAYS * DAY_MS));
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }

  private async foldAll(): Promise<void> {
    while ((await this.counts.fold()) > 0);
  }
}
