import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Logger } from 'pino';
import { LOG } from '../../common/logging/logging.module.js';
import { DAMAGED_CELLS, type DamagedCell } from './record-cells.js';

/** Damaged cells that are logged, each once; `doctor --deep` names all. */
const MAX_LOGGED = 1_000;

/** Logs contents of records that cannot be read. */
@Injectable()
export class DamagedCellLog implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logged = new Set<string>();
  private readonly onDamagedCell = (cell: unknown): void => {
    // Only record-cells.ts publishes on this channel.
    this.logDamaged(cell as DamagedCell);
  };

  constructor(@Inject(LOG) private readonly log: Logger) {}

  onApplicationBootstrap(): void {
    subscribe(DAMAGED_CELLS, this.onDamagedCell);
  }

  onModuleDestroy(): void {
    unsubscribe(DAMAGED_CELLS, this.onDamagedCell);
  }

  private logDamaged({ recordId, column }: DamagedCell): void {
    const key = `${recordId} ${column}`;
    if (this.logged.has(key) || this.logged.size >= MAX_LOGGED) return;
    this.logged.add(key);
    this.log.error({ recordId, column }, 'the contents of a record are damaged');
  }
}
