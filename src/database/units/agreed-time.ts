import { Injectable } from '@nestjs/common';
import { Raw, type FindOperator } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { Dialect, type Condition } from '../dialect/dialect.js';
import { Reads } from '../statements/reads.js';

/** An instance whose clock differs by more is not ready. */
const MAX_SKEW_MS = 60_000;

/** The time that has come by the clocks of this process and of the database: a clock that is ahead ends nothing early. */
@Injectable()
export class AgreedTime {
  constructor(
    private readonly reads: Reads,
    private readonly dialect: Dialect,
    private readonly clock: Clock,
  ) {}

  get expression(): string {
    const own = this.clock.now();
    const { now } = this.dialect;
    return `CASE WHEN ${now} < ${own} THEN ${now} ELSE ${own} END`;
  }

  /** The condition that a moment is further away than its wait can be: a clock that was ahead wrote it, and it is over. */
  isAhead(column: string, longestMs: number): Condition {
    const latest = longestMs + MAX_SKEW_MS;
    const sql = `(${column} > ${this.clock.now() + latest} AND ${column} > ${this.dialect.now} + ${latest})`;
    return { sql, values: [] };
  }

  ahead(longestMs: number): FindOperator<number> {
    // TypeORM leaves open what it compares.
    return Raw((column) => this.isAhead(column, longestMs).sql) as FindOperator<number>;
  }

  /** Asks the database, so not to be called within a unit of work. @returns milliseconds since 1970, UTC */
  async now(): Promise<number> {
    const [row] = await this.reads.select<{ now: number | string }>(`SELECT ${this.expression} AS now`);
    return Number(row?.now);
  }
}
