import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { isRetryable } from '../database-error.js';

/** No migration knows the table, since it is needed before the first one, and while a restore takes all of them back. */
const TABLE = 'migration_turns';
/** So long another process waits for one that was killed. */
const TURN_MS = 60_000;
const RENEWED_EVERY_MS = 10_000;
const ASKED_EVERY_MS = 250;

/** How a process waits for its turn. */
export interface Patience {
  /** The clock of the database, in SQL: milliseconds since 1970, UTC. */
  readonly now: string;
  readonly seconds: number;
}

/**
 * Runs `work` while no other process of the database does, on whatever server of a cluster it is: named locks of a
 * server end there, so the turn is a row that is written. Its holder renews it, over a connection of its own.
 *
 * @throws when another process does not come to its end in time
 */
export async function inClusterTurn<Result>(
  runner: QueryRunner,
  patience: Patience,
  work: () => Promise<Result>,
): Promise<Result> {
  const turn = new ClusterTurn(runner, patience);
  await turn.take();
  try {
    return await work();
  } finally {
    await turn.giveBack();
  }
}

class ClusterTurn {
  private readonly owner = randomUUID();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly runner: QueryRunner,
    private readonly patience: Patience,
  ) {}

  async take(): Promise<void> {
    const { now, seconds } = this.patience;
    const taking = `UPDATE ${TABLE} SET owner = ?, until_at = ${now} + ${TURN_MS} WHERE id = 1 AND until_at < ${now}`;
    await this.prepare();
    const end = performance.now() + seconds * 1_000;
    while (!(await this.isWritten(taking))) {
      if (performance.now() > end) throw new Error(`Another process has held the migration lock for ${seconds} s.`);
      await sleep(ASKED_EVERY_MS);
    }
    this.timer = setInterval(() => void this.renew(), RENEWED_EVERY_MS).unref();
  }

  async giveBack(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.isWritten(`UPDATE ${TABLE} SET until_at = 0 WHERE owner = ?`);
  }

  private async prepare(): Promise<void> {
    await this.runner.query(
      `CREATE TABLE IF NOT EXISTS ${TABLE}
         (id INTEGER PRIMARY KEY, owner VARCHAR(36) NOT NULL, until_at BIGINT NOT NULL) ENGINE=InnoDB`,
    );
    await this.isWritten(`INSERT IGNORE INTO ${TABLE} (id, owner, until_at) VALUES (1, ?, 0)`);
  }

  /** One that fails is made up for by the next: there are six in a turn. */
  private async renew(): Promise<void> {
    const sql = `UPDATE ${TABLE} SET until_at = ${this.patience.now} + ${TURN_MS} WHERE owner = ?`;
    await this.runner.dataSource.query(sql, [this.owner]).catch(() => undefined);
  }

  /** Whether a statement has changed a row. One that lost against another process is made again. */
  private async isWritten(sql: string): Promise<boolean> {
    for (;;) {
      try {
        const { affectedRows } = (await this.runner.query(sql, [this.owner])) as { affectedRows: number };
        return affectedRows > 0;
      } catch (error) {
        if (!isRetryable(error)) throw error;
      }
    }
  }
}
