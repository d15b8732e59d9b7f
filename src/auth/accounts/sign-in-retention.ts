import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Chores } from '../../common/chores.js';
import { Clock } from '../../common/clock.js';
import { LOG } from '../../common/logging/logging.module.js';
import { deleteOld } from '../../database/old-rows.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { asUnavailable } from '../../database/database-error.js';

const EVERY_MS = 3_600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What is kept for how long after the time in its condition. */
const OLD = [
  // A one-time code that comes a second time within the hour still ends the session of the first time.
  { table: 'auth_challenges', condition: 'expires_at < ?', keptMs: HOUR_MS },
  { table: 'auth_sessions', condition: 'expires_at < ?', keptMs: 30 * DAY_MS },
  { table: 'auth_sessions', condition: 'revoked_at < ?', keptMs: 30 * DAY_MS },
  { table: 'auth_counters', condition: 'ends_at < ?', keptMs: 7 * DAY_MS },
];

/** Forgets what signing in has left behind, beside everything else and in small steps. */
@Injectable()
export class SignInRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly chores: Chores;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(LOG) log: Logger,
  ) {
    this.chores = new Chores(log, 'old sessions and challenges could not be dropped', asUnavailable);
  }

  onApplicationBootstrap(): void {
    this.chores.every(EVERY_MS, () => this.dropOld());
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }

  /** Drops what is too old by now. */
  async dropOld(): Promise<void> {
    for (const { table, condition, keptMs } of OLD) {
      await deleteOld(this.unitOfWork, { table, condition, before: this.clock.now() - keptMs }, this.chores);
    }
  }
}
