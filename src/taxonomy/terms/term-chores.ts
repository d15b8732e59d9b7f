import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { SERVICE } from '../../common/access/caller.js';
import { Chores } from '../../common/chores.js';
import { LOG } from '../../common/logging/logging.module.js';
import { PendingRemovals } from './pending-removals.js';
import { asUnavailable } from '../../database/database-error.js';

const RESUME_EVERY_MS = 60_000;

/** Finishes the merges and deletions that a stop or a failure has interrupted. */
@Injectable()
export class TermChores implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly pendingRemovals: PendingRemovals,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(log, 'an interrupted merge or deletion of a term could not be finished', asUnavailable);
  }

  onApplicationBootstrap(): void {
    void this.chores.start(() => this.resume());
    this.chores.every(RESUME_EVERY_MS, () => this.resume());
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }

  private async resume(): Promise<void> {
    for await (const removed of this.pendingRemovals.pending()) {
      if (this.chores.isStopping) return;
      await this.pendingRemovals.finish(removed, SERVICE);
    }
  }
}
