import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Logger } from 'pino';
import { Chores } from '../common/chores.js';
import { Clock } from '../common/clock.js';
import { LOG } from '../common/logging/logging.module.js';
import { DAMAGED_CELLS, type DamagedCell } from './rows/record-cells.js';
import { RecordCounts } from './counting/record-counts.js';
import { Trash } from './writing/trash.js';
import { asUnavailable } from '../database/database-error.js';

const FOLD_EVERY_MS = 5_000;
const PURGE_EVERY_MS = 3_600_000;
const TRASH_DAYS = 30;
const DAY_MS = 86_400_000;
/** Damaged cells that are logged, each once; `doctor --deep` names all. */
const MAX_LOGGED = 1_000;

/** Background jobs of records, at intervals. Several processes may run them at once. */
@Injectable()
export class RecordChores implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;
  private readonly logged = new Set<string>();
  private readonly onDamagedCell = (cell: unknown): void => {
    // Only record-cells.ts publishes on this channel.
    this.logDamaged(cell as DamagedCell);
  };

  constructor(
    private readonly counts: RecordCounts,
    private readonly trash: Trash,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.chores = new Chores(log, 'a chore of the records failed', asUnavailable);
  }

  onApplicationBootstrap(): void {
    subscribe(DAMAGED_CELLS, this.onDamagedCell);
    this.chores.every(FOLD_EVERY_MS, () => this.foldAll());
    this.chores.every(PURGE_EVERY_MS, () => this.trash.purge(this.clock.now() - TRASH_DAYS * DAY_MS));
  }

  onModuleDestroy(): Promise<void> {
    unsubscribe(DAMAGED_CELLS, this.onDamagedCell);
    return this.chores.stop();
  }

  private logDamaged({ recordId, column }: DamagedCell): void {
    const key = `${recordId} ${column}`;
    if (this.logged.has(key) || this.logged.size >= MAX_LOGGED) return;
    this.logged.add(key);
    this.log.error({ recordId, column }, 'the contents of a record are damaged');
  }

  private async foldAll(): Promise<void> {
    while ((await this.counts.fold()) > 0);
  }
}
