import { Reads } from '../../src/database/statements/reads.js';
import type { SqlValue } from '../../src/database/statements/statement.js';

type Answer = readonly unknown[];

/** Reads of which a test may hold up some, or answer them from elsewhere. */
export class WatchedReads extends Reads {
  intercept: ((sql: string, values: readonly SqlValue[], read: () => Promise<Answer>) => Promise<Answer>) | null = null;

  override async select<Row>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    const read = (): Promise<Row[]> => super.select<Row>(sql, values);
    // The rows are those of the statement, whichever connection has answered it.
    return this.intercept === null ? read() : ((await this.intercept(sql, values, read)) as Row[]);
  }
}
