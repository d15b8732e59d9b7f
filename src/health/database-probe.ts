import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { Clock } from '../common/clock.js';
import { Job } from '../common/jobs/job.decorator.js';
import { LOG } from '../common/logging/logging.module.js';
import { readGauge } from '../common/metrics/read-gauge.js';
import { isPoolBusy } from '../database/dialect/database-error.js';
import { Dialect } from '../database/dialect/dialect.js';
import { serversOf } from '../database/mysql/mysql-dialect.js';
import { Reads } from '../database/statements/reads.js';

const PROBED_EVERY_MS = 1_000;
/** A database that has not answered for so long does not answer. */
const SILENT_MS = 5_000;
/** Codes, tokens and schedules end by the clock of the process: one that is so far off must not serve. */
const MAX_SKEW_MS = 60_000;
const CLOCKS_DIFFER =
  'the clocks of the service and the database differ: what is to be removed by time stays until it is over by both';

/** Asks the database each second, so that readiness needs not to. A node that has lost its cluster refuses a table only. */
@Injectable()
export class DatabaseProbe {
  private failure: unknown = null;
  private skewMs = 0;
  private isClockOff = false;
  /** In the milliseconds of `performance.now()`. The start has read the database before. */
  private lastAnswer = performance.now();

  constructor(
    private readonly reads: Reads,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Logger,
    registry: Registry,
  ) {
    const help = 'How far the clocks of process and database differ.';
    readGauge({ name: 'cms_clock_skew_seconds', help, registers: [registry] }, () => this.skewMs / 1_000);
  }

  /** The reason why requests should go elsewhere; `null`: the database answers. */
  get trouble(): { readonly message: string; readonly cause: unknown } | null {
    const isSilent = performance.now() - this.lastAnswer > SILENT_MS || serversOf(this.dialect)?.isOpen === true;
    if (isSilent || this.failure !== null) return { message: 'The database does not answer.', cause: this.failure };
    if (!this.isClockOff) return null;
    const seconds = Math.round(this.skewMs / 1_000);
    return { message: `The clocks of the service and the database differ by ${seconds} s.`, cause: null };
  }

  @Job({ name: 'health.probe', every: PROBED_EVERY_MS, failure: 'the database could not be probed' })
  async probe(): Promise<void> {
    try {
      await this.ask();
      if (this.failure !== null) this.log.info('the database answers again');
      this.failure = null;
      this.lastAnswer = performance.now();
    } catch (err) {
      // A pool that is busy says nothing of the server: whether that hangs is what the breaker knows.
      if (isPoolBusy(err)) {
        this.lastAnswer = performance.now();
        return;
      }
      if (this.failure === null) this.log.warn({ err }, 'the database does not answer');
      this.failure = err;
    }
  }

  private async ask(): Promise<void> {
    const before = this.clock.now();
    const [row] = await this.reads.select<{ now: number | string }>(
      `SELECT ${this.dialect.now} AS now FROM migrations LIMIT 1`,
    );
    if (!row) throw new Error('The database has had no migration.');
    const now = Number(row.now);
    // Between the two the database has looked at its own.
    this.skewMs = Math.max(before - now, now - this.clock.now(), 0);
    this.judgeClock();
  }

  private judgeClock(): void {
    const isOff = this.skewMs >= MAX_SKEW_MS;
    if (isOff === this.isClockOff) return;
    this.isClockOff = isOff;
    if (isOff) this.log.warn({ skew_s: Math.round(this.skewMs / 1_000) }, CLOCKS_DIFFER);
    else this.log.info('the clocks of the service and the database agree again');
  }
}
