import type { EntityManager } from 'typeorm';
import { Job } from '../../common/jobs/job.decorator.js';
import { execute, select } from '../statements/statement.js';
import { REPEATABLE, type UnitOfWork } from '../units/unit-of-work.js';

const BEAT_EVERY_MS = 1_000;
const ID = 1;

/** Writes the heartbeats by which the lag of replicas is measured. */
export class Heartbeats {
  private readonly sql: string;

  /** @param now the time by the clock of the database, as SQL */
  constructor(
    private readonly units: UnitOfWork,
    now: string,
  ) {
    this.sql = `UPDATE heartbeats SET at = CASE WHEN at < ${now} THEN ${now} ELSE at + 1 END WHERE id = ${ID}`;
  }

  @Job({
    name: 'replicas.heartbeat',
    every: BEAT_EVERY_MS,
    lease: 'heartbeat',
    failure: 'no heartbeat was written: replicas are not read without one',
  })
  async write(): Promise<void> {
    await this.beat();
  }

  /** @returns a time that no heartbeat had before: what has been committed is there wherever it is read */
  beat(): Promise<number> {
    return this.units.run(async (manager) => {
      if ((await execute(manager, this.sql)).affected === 0) await this.begin(manager);
      const [row] = await select<{ at: number | string }>(manager, `SELECT at FROM heartbeats WHERE id = ${ID}`);
      return Number(row?.at);
    }, REPEATABLE);
  }

  private async begin(manager: EntityManager): Promise<void> {
    await execute(manager, `INSERT INTO heartbeats (id, at) VALUES (${ID}, 0)`);
    await execute(manager, this.sql);
  }
}
