import type { DataSourceOptions, QueryRunner } from 'typeorm';
import { placeholders, type SqlValue } from '../statement.js';
import { Dialect, type Condition } from './dialect.js';
import { SHARED_OPTIONS } from './shared-options.js';
import { sqliteDriver } from './sqlite-driver.js';

/** The part of a better-sqlite3 connection that is used here. */
interface Connection {
  pragma(text: string): unknown;
}

const BUSY_TIMEOUT_MS = 10_000;
/** Whoever wants the file alone hears soon that somebody else is there. */
const SOLE_TIMEOUT_MS = 2_000;
const CACHE_KIB = 32_768;
/** Rows of a table for which it matters how it is read. */
const LARGE = 10_000;

function tune(connection: Connection): void {
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.pragma('foreign_keys = ON');
  connection.pragma(`cache_size = -${CACHE_KIB}`);
}

/** SQLite in a file: one connection writes, another one reads the same write-ahead log. */
export class SqliteDialect extends Dialect {
  readonly hasOneWriter = true;
  readonly lockInShareMode = '';
  readonly lockForUpdate = '';
  readonly orderedJoin = 'CROSS JOIN';
  readonly insertOrIgnore = 'INSERT OR IGNORE';
  readonly changeMark = 'PRAGMA data_version';

  constructor(private readonly file: string) {
    super();
  }

  get label(): string {
    return this.file;
  }

  get fileForThreads(): string {
    return this.file;
  }

  addingTo(column: string, keys: readonly string[]): string {
    return `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${column} = ${column} + excluded.${column}`;
  }

  writerOptions(): DataSourceOptions {
    return {
      ...SHARED_OPTIONS,
      type: 'better-sqlite3',
      driver: sqliteDriver(),
      database: this.file,
      statementCacheSize: 500,
      timeout: BUSY_TIMEOUT_MS,
      prepareDatabase: tune,
    };
  }

  readerOptions(): DataSourceOptions {
    return {
      ...SHARED_OPTIONS,
      type: 'better-sqlite3',
      driver: sqliteDriver(),
      database: this.file,
      readonly: true,
      fileMustExist: true,
      statementCacheSize: 500,
      timeout: BUSY_TIMEOUT_MS,
      prepareDatabase: (connection: Connection) => {
        connection.pragma(`cache_size = -${CACHE_KIB}`);
      },
    };
  }

  /** A service that only has the file open is enough to be refused, and none can open it meanwhile. */
  soleOptions(): DataSourceOptions {
    return {
      ...this.writerOptions(),
      timeout: SOLE_TIMEOUT_MS,
      prepareDatabase: (connection: Connection) => {
        // Before the first look at the write-ahead log: later on it would keep nobody out.
        connection.pragma('locking_mode = EXCLUSIVE');
        tune(connection);
      },
    } as DataSourceOptions;
  }

  /** IMMEDIATE takes the write lock at once: a unit that reads first could otherwise not be upgraded to a writer. */
  async begin(runner: QueryRunner): Promise<void> {
    await runner.query('BEGIN IMMEDIATE');
    // Tells TypeORM not to open transactions of its own inside this one.
    Object.assign(runner, { isTransactionActive: true });
  }

  async commit(runner: QueryRunner): Promise<void> {
    await runner.query('COMMIT');
    Object.assign(runner, { isTransactionActive: false });
  }

  async rollback(runner: QueryRunner): Promise<void> {
    Object.assign(runner, { isTransactionActive: false });
    await runner.query('ROLLBACK');
  }

  /** The first statement that reads is the moment. */
  async beginSnapshot(runner: QueryRunner): Promise<void> {
    await runner.query('BEGIN');
    Object.assign(runner, { isTransactionActive: true });
    await runner.query('SELECT 1 FROM sqlite_master LIMIT 1');
  }

  /** Whoever else has the file open keeps {@link soleOptions} out, and needs not be counted. */
  othersConnected(): Promise<number> {
    return Promise.resolve(0);
  }

  exactDouble(column: string): string {
    return column;
  }

  comesAfter(columns: readonly string[], key: readonly SqlValue[]): Condition {
    return { sql: `(${columns.join(', ')}) > (${placeholders(key)})`, values: key };
  }

  /** Kept by AUTOINCREMENT, from the first row on. */
  async nextId(runner: QueryRunner, table: string): Promise<number> {
    const sql = 'SELECT seq FROM sqlite_sequence WHERE name = ?';
    const [row] = (await runner.query(sql, [table])) as { seq: number }[];
    return (row?.seq ?? 0) + 1;
  }

  /** The write lock of the file excludes every other process; what `work` does is one transaction. */
  async exclusively<Result>(runner: QueryRunner, work: () => Promise<Result>): Promise<Result> {
    await this.begin(runner);
    try {
      const result = await work();
      await this.commit(runner);
      return result;
    } catch (error) {
      await this.rollback(runner);
      throw error;
    }
  }

  /**
   * Of large tables only. What is said of a small one stays said when it has grown: told that the full-text index has
   * two rows, SQLite read all of it to remove a range, at every merge.
   */
  async refreshStatistics(runner: QueryRunner): Promise<void> {
    await runner.query('PRAGMA analysis_limit = 1000');
    await runner.query('ANALYZE');
    // The number of rows stands first: `8229 1`.
    await runner.query(`DELETE FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) < ${LARGE}`);
    // Reads all of the schema anew: ANALYZE of it would not forget what was said of tables without an index.
    await runner.query('PRAGMA writable_schema = RESET');
  }
}
