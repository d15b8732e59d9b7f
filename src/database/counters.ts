import type { EntityManager } from 'typeorm';
import type { Dialect } from './dialect/dialect.js';
import { execute, placeholders, select, type SqlValue } from './statement.js';

/** Which counter of a table, by its key columns. */
type CounterKey = readonly (string | number)[];

/** A change of one counter. */
export interface CounterChange {
  readonly key: CounterKey;
  readonly d: number;
}

/** Two tables with the same key columns: one of counters `n`, one of appended changes `d`. */
interface CounterTables {
  readonly counters: string;
  readonly deltas: string;
  readonly keys: readonly string[];
}

const FOLD_BATCH = 1_000;
/** SQLite takes 32,766 values in one statement. */
const ROWS_PER_INSERT = 5_000;

/**
 * Numbers that are kept and never counted.
 * Where writers run side by side a change is appended and folded in later: a row per counter would make them wait.
 */
export class Counters {
  constructor(
    private readonly dialect: Dialect,
    private readonly tables: CounterTables,
  ) {}

  /** Makes changes that are part of a unit of work. */
  async add(manager: EntityManager, changes: readonly CounterChange[]): Promise<void> {
    const sums = summed(changes);
    if (this.dialect.hasOneWriter) await this.addToCounters(manager, sums);
    else await this.insert(manager, sums, { table: this.tables.deltas, column: 'd', end: '' });
  }

  /** A statement for the counters that a condition on the key columns picks: rows of the key and a part of its `n`. */
  parts(condition: string, values: readonly SqlValue[]): { text: string; values: readonly SqlValue[] } {
    const keys = this.tables.keys.join(', ');
    const folded = `SELECT ${keys}, n FROM ${this.tables.counters} WHERE ${condition}`;
    if (this.dialect.hasOneWriter) return { text: folded, values };
    const appended = `SELECT ${keys}, SUM(d) AS n FROM ${this.tables.deltas} WHERE ${condition} GROUP BY ${keys}`;
    return { text: `${folded} UNION ALL ${appended}`, values: [...values, ...values] };
  }

  /** Folds the oldest appended changes into the counters. Returns how many there were. */
  async fold(manager: EntityManager): Promise<number> {
    const { deltas, keys } = this.tables;
    const rows = await select<Record<string, string | number>>(
      manager,
      `SELECT id, d, ${keys.join(', ')} FROM ${deltas} ORDER BY id LIMIT ${FOLD_BATCH}${this.dialect.lockForUpdate}`,
    );
    if (rows.length === 0) return 0;
    const changes = rows.map((row) => ({ key: keys.map((key) => row[key] ?? ''), d: Number(row.d) }));
    await this.addToCounters(manager, summed(changes));
    const ids = rows.map(({ id = 0 }) => id);
    await execute(manager, `DELETE FROM ${deltas} WHERE id IN (${placeholders(ids)})`, ids);
    return rows.length;
  }

  /** Forgets the counters that a condition on the key columns picks. */
  async remove(manager: EntityManager, condition: string, values: readonly SqlValue[]): Promise<void> {
    // Appended changes go first: folding them in would bring the counter back.
    await execute(manager, `DELETE FROM ${this.tables.deltas} WHERE ${condition}`, values);
    await execute(manager, `DELETE FROM ${this.tables.counters} WHERE ${condition}`, values);
  }

  private addToCounters(manager: EntityManager, changes: readonly CounterChange[]): Promise<void> {
    const { counters: table, keys } = this.tables;
    return this.insert(manager, changes, { table, column: 'n', end: this.dialect.addingTo('n', keys) });
  }

  private async insert(
    manager: EntityManager,
    changes: readonly CounterChange[],
    { table, column, end }: { table: string; column: string; end: string },
  ): Promise<void> {
    const columns = [...this.tables.keys, column];
    for (let start = 0; start < changes.length; start += ROWS_PER_INSERT) {
      const some = changes.slice(start, start + ROWS_PER_INSERT);
      const rows = some.map(() => `(${placeholders(columns)})`).join(', ');
      const values = some.flatMap(({ key, d }) => [...key, d]);
      await execute(manager, `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows} ${end}`, values);
    }
  }
}

/** One change per counter, in a fixed order, so that two folds cannot wait for each other. */
function summed(changes: readonly CounterChange[]): CounterChange[] {
  const sums = new Map<string, CounterChange>();
  for (const { key, d } of changes) {
    const name = JSON.stringify(key.map(String));
    sums.set(name, { key, d: d + (sums.get(name)?.d ?? 0) });
  }
  return [...sums.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, sum]) => sum)
    .filter(({ d }) => d !== 0);
}
