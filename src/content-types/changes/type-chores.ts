import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Chores } from '../../common/chores.js';
import { LOG } from '../../common/logging/logging.module.js';
import { IndexRepair } from './index-repair.js';
import { IndexWork } from './index-work.js';
import { TypeRemoval } from './type-removal.js';
import { TypeWatches } from './type-watches.js';
import { asUnavailable } from '../../database/database-error.js';

const SWEEP_EVERY_MS = 300_000;
const RETRY_EVERY_MS = 15_000;
const RESUME_EVERY_MS = 60_000;

/** Finishes at start what a stop has interrupted, and later on what a failure or the end of another process has. */
@Injectable()
export class TypeChores implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly indexes: IndexWork,
    private readonly repair: IndexRepair,
    private readonly removal: TypeRemoval,
    private readonly watches: TypeWatches,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(log, 'an interrupted change of a content type could not be finished', asUnavailable);
  }

  onApplicationBootstrap(): void {
    // Apart, so that the failure of one keeps none of the others from its turn.
    void this.chores.start(() => this.removal.resume());
    void this.chores.start(() => this.indexes.resume());
    void this.chores.start(() => this.repair.run());
    this.chores.every(RETRY_EVERY_MS, () => this.indexes.retry());
    this.chores.every(RESUME_EVERY_MS, () => this.indexes.resumeExpired());
    this.chores.every(RESUME_EVERY_MS, () => this.removal.resume());
    this.chores.every(SWEEP_EVERY_MS, () => this.watches.sweep());
  }

  async onModuleDestroy(): Promise<void> {
    this.indexes.stop();
    this.repair.stop();
    this.removal.stop();
    await this.chores.stop();
  }
}
