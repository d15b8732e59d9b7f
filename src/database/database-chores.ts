import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Chores } from '../common/chores.js';
import { LOG } from '../common/logging/logging.module.js';
import { Dialect } from './dialect/dialect.js';
import { asUnavailable } from './database-error.js';

const STATISTICS_EVERY_MS = 3_600_000;

/** Background work on the database itself. Several processes may do it at once. */
@Injectable()
export class DatabaseChores implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly dialect: Dialect,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(log, 'a chore of the database failed', asUnavailable);
  }

  onApplicationBootstrap(): void {
    this.chores.every(STATISTICS_EVERY_MS, () => this.dialect.renewStatistics());
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }
}
