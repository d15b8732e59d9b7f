import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { isRetryable } from '../database-error.js';

/** No migration creates the table: it is needed before the first migration, and while a restore reverts all of them. */
const TABLE = 'migration_turns';
/** How long the lock of a killed process stays taken, milliseconds. */
const LEASE_MS = 60_000;
const RENEWED_EVERY_MS = 10_000;
const ASKED_EVERY_MS = 250;

/** How long to wait for the lock, and by which clock. */
export interface LockWait {
  /** The clock of the database, in SQL: milliseconds since 1970, UTC. */
  readonly now: string;
  readonly seconds: number;
}

/**
 * Runs `work` under a lock of the whole cluster. `GET_LOCK` excludes processes on one server only, so the lock is a row
 * that its owner renews over a connection of its own.
 *
 * @throws when another process still holds the lock after the wait
 */
export async function withClusterLock<Result>(
  runner: QueryRunner,
  wait: LockWait,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = new ClusterLock(runner, wait);
  await lock.acquire();
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

class ClusterLock {
  private readonly owner = randomUUID();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly runner: QueryRunner,
    private readonly wait: LockWait,
  ) {}

  async acquire(): Promise<void> {
    const { now, seconds } = this.wait;
    const taking = `UPDATE ${TABLE} SET owner = ?, until_at = ${now} + ${LEASE_MS} WHERE id = 1 AND until_at < ${now}`;
    await this.prepare();
    const end = performance.now() + seconds * 1_000;
    while (!(await this.isWritten(taking))) {
      if (performance.now() > end) throw new Error(`Another process has held the migration lock for ${seconds} s.`);
      await sleep(ASKED_EVERY_MS);
    }
    this.timer = setInterval(() => void this.renew(), RENEWED_EVERY_MS).unref();
  }

  async release(): Promise<void> {
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

  /** A renewal that fails is made up for by the next: there are six within a lease. */
  private async renew(): Promise<void> {
    const sql = `UPDATE ${TABLE} SET until_at = ${this.wait.now} + ${LEASE_MS} WHERE owner = ?`;
    await this.runner.dataSource.query(sql, [this.owner]).catch(() => undefined);
  }

  /** Whether a statement has changed a row. It runs again when it loses against another process. */
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
