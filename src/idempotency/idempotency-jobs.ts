import { Injectable } from '@nestjs/common';
import { Job } from '../common/jobs/job.decorator.js';
import { Dialect } from '../database/dialect/dialect.js';
import { deleteSome } from '../database/statements/deletion.js';
import { execute, select } from '../database/statements/statement.js';
import { AgreedTime } from '../database/units/agreed-time.js';
import { UnitOfWork } from '../database/units/unit-of-work.js';
import { KEPT_MS } from './once.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Answers older than this many milliseconds were forgotten by earlier runs, or go with their keys. */
const LOOKED_BACK_MS = 7 * DAY_MS;
/** Rows that one statement deletes or changes: their answers may be long. */
const AT_ONCE = 200;

/** Forgets the answers of requests that are a day old, and at last their keys. */
@Injectable()
export class IdempotencyJobs {
  constructor(
    private readonly units: UnitOfWork,
    private readonly dialect: Dialect,
    private readonly time: AgreedTime,
  ) {}

  @Job({
    name: 'idempotency.drop-old',
    every: EVERY_MS,
    lock: 'idempotency',
    failure: 'old idempotency keys could not be dropped',
  })
  async dropOld(signal?: AbortSignal): Promise<void> {
    const now = await this.time.now();
    await this.dropAnswers(now + KEPT_MS - DAY_MS, signal);
    const values = [now];
    const old = { table: 'idempotency_keys', condition: 'expires_at <= ?', values, atOnce: AT_ONCE };
    let deleted = AT_ONCE;
    while (deleted === AT_ONCE && signal?.aborted !== true) {
      deleted = await this.units.run((manager) => deleteSome(manager, this.dialect, old));
    }
  }

  private async dropAnswers(until: number, signal?: AbortSignal): Promise<void> {
    let since: number | null = until - LOOKED_BACK_MS;
    while (since !== null && signal?.aborted !== true) since = await this.dropSome(since, until);
  }

  /** @returns the time at which the key of the last one expires; `null`: there was none */
  private dropSome(since: number, until: number): Promise<number | null> {
    return this.units.run(async (manager) => {
      const old = 'expires_at > ? AND expires_at <= ? AND answer IS NOT NULL';
      const sql = `SELECT expires_at FROM idempotency_keys WHERE ${old} ORDER BY expires_at LIMIT ${AT_ONCE}`;
      const last = (await select<{ expires_at: number }>(manager, sql, [since, until])).at(-1);
      if (!last) return null;
      await execute(manager, `UPDATE idempotency_keys SET answer = NULL WHERE ${old}`, [since, last.expires_at]);
      return last.expires_at;
    });
  }
}
