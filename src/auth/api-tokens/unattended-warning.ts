import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Chores } from '../../common/chores.js';
import { Clock } from '../../common/clock.js';
import { LOG } from '../../common/logging/logging.module.js';
import { asUnavailable } from '../../database/database-error.js';
import { Reads } from '../../database/reads.js';
import { unattendedTokens } from './unattended-tokens.js';

/** Warns once, beside the start, of service tokens that live on without a user who is responsible for them. */
@Injectable()
export class UnattendedWarning implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly reads: Reads,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.chores = new Chores(log, 'service tokens without a responsible user could not be looked for', asUnavailable);
  }

  onApplicationBootstrap(): void {
    void this.chores.start(() => this.warn());
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }

  /** Writes one line where there are any. */
  async warn(): Promise<void> {
    const { count } = await unattendedTokens(this.reads, this.clock.now());
    if (count === 0) return;
    this.log.warn(
      { tokens: count },
      'service tokens live on whose responsible users are gone or disabled: npm run cli -- doctor names them',
    );
  }
}
