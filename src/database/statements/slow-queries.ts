import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { currentRequest } from '../../common/tracing/request-scope.js';
import { LOG } from '../../common/logging/logging.module.js';
import { Settings } from '../../config/settings.js';

/** Longer statements are cut: those of many rows have a place for each value. */
const MAX_SQL = 2_000;

/** Writes statements that take long into the log: without their values, which may be secrets. */
@Injectable()
export class SlowQueries {
  private readonly limitMs: number;

  constructor(
    @Inject(LOG) private readonly log: Logger,
    { slowQueries: { limitMs } }: Settings,
  ) {
    this.limitMs = limitMs === 0 ? Infinity : limitMs;
  }

  /** Follows all statements of a data source that end well; the others are failures of their own. */
  watch(source: DataSource): void {
    if (this.limitMs === Infinity) return;
    source.subscribers.push({
      afterQuery: ({ query, executionTime = 0 }) => {
        this.took(query, executionTime);
      },
    });
  }

  took(sql: string, ms: number): void {
    if (ms < this.limitMs) return;
    const request = currentRequest();
    const { path } = (request?.route ?? {}) as { readonly path?: unknown };
    const whose = request ? { request_id: request.id, route: path } : {};
    this.log.warn({ ...whose, ms: Math.round(ms), sql: sql.slice(0, MAX_SQL) }, 'slow query');
  }
}
