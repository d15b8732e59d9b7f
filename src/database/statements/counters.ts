import type { EntityManager } from 'typeorm';
import type { Condition, Dialect } from '../dialect/dialect.js';
import { deleteSome } from './deletion.js';
import { LateWrites } from './late-writes.js';
import { execute, type SqlValue } from './statement.js';
import { insertRows } from './statement-queue.js';

export interface CounterChange {
  readonly key: readonly (string | number)[];
  readonly d: number;
}

/** SQLite takes a condition of 1,000 levels, and each counter is one. */
const ROWS_PER_DELETION = 200;

/** A table of numbers `n` that are kept and never counted. */
export class Counters {
  private readonly end: string;
  private readonly late: LateWrites<CounterChange>;

  constructor(
    private readonly table: string,
    private readonly keys: readonly string[],
    private readonly dialect: Dialect,
  ) {
    this.end = dialect.addingTo('n', keys);
    this.late = new LateWrites(table, (manager, changes) => this.write(manager, changes));
  }

  add(manager: EntityManager, changes: readonly CounterChange[]): Promise<void> {
    return this.late.add(manager, changes);
  }

  /** Forgets so many at most of the counters that a condition on the key columns picks. @returns how many */
  removeSome(manager: EntityManager, { sql: condition, values }: Condition, atOnce: number): Promise<number> {
    return deleteSome(manager, this.dialect, { table: this.table, condition, values, atOnce });
  }

  /**
   * Forgets counters that are 0. A unit that adds to one meanwhile waits for the end of this one, and makes it again.
   * @param counters to which the unit of work has added, so that it holds their rows
   */
  async removeZeros(manager: EntityManager, counters: readonly CounterChange[]): Promise<void> {
    await this.late.flush(manager);
    const one = `(${this.keys.map((key) => `${key} = ?`).join(' AND ')} AND n = 0)`;
    for (let start = 0; start < counters.length; start += ROWS_PER_DELETION) {
      const some = counters.slice(start, start + ROWS_PER_DELETION);
      const these = some.map(() => one).join(' OR ');
      await execute(
        manager,
        `DELETE FROM ${this.table} WHERE ${these}`,
        some.flatMap(({ key }) => key),
      );
    }
  }

  private async write(manager: EntityManager, changes: readonly CounterChange[]): Promise<void> {
    const rows: SqlValue[][] = [];
    for (const { key, d } of summed(changes)) rows.push([...key, d]);
    const columns = [...this.keys, 'n'].join(', ');
    await insertRows(manager, `INSERT INTO ${this.table} (${columns})`, rows, { tail: this.end });
  }
}

/** One change per counter, in a fixed order, so that two units of work cannot wait for each other. */
export function summed<Change extends CounterChange>(changes: readonly Change[]): Change[] {
  const sums = new Map<string, Change>();
  for (const change of changes) {
    const name = JSON.stringify(change.key.map(String));
    sums.set(name, { ...change, d: change.d + (sums.get(name)?.d ?? 0) });
  }
  const inOrder: Change[] = [];
  for (const [, sum] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) if (sum.d !== 0) inOrder.push(sum);
  return inOrder;
}
