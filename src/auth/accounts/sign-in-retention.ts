import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Chores } from '../../common/chores.js';
import { Clock } from '../../common/clock.js';
import { LOG } from '../../common/logging/logging.module.js';
import { execute, placeholders, select, type SqlValue } from '../../database/statement.js';
import { UnitOfWork } from '../../database/unit-of-work.js';

const EVERY_MS = 3_600_000;
const BATCH = 500;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Rows that are of no use any more. */
interface Old {
  readonly table: string;
  /** A condition whose one value is a time. */
  readonly condition: string;
  /** How long they are kept after that time. */
  readonly keptMs: number;
}

const OLD: readonly Old[] = [
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
    this.chores = new Chores(log, 'old sessions and challenges could not be dropped');
  }

  onApplicationBootstrap(): void {
    this.chores.every(EVERY_MS, () => this.dropOld());
  }

  onModuleDestroy(): Promise<void> {
    return this.chores.stop();
  }

  /** Drops what is too old by now. */
  async dropOld(): Promise<void> {
    for (const old of OLD) {
      while (!this.chores.isStopping && (await this.dropSome(old)) === BATCH);
    }
  }

  private dropSome({ table, condition, keptMs }: Old): Promise<number> {
    const before = this.clock.now() - keptMs;
    return this.unitOfWork.run(async (manager) => {
      const sql = `SELECT id FROM ${table} WHERE ${condition} LIMIT ${BATCH}`;
      const ids = (await select<{ id: SqlValue }>(manager, sql, [before])).map(({ id }) => id);
      // Once more the condition: a counter may have been used since it was read.
      if (ids.length > 0) {
        const which = `id IN (${placeholders(ids)}) AND ${condition}`;
        await execute(manager, `DELETE FROM ${table} WHERE ${which}`, [...ids, before]);
      }
      return ids.length;
    });
  }
}
