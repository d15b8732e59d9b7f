import { setTimeout as sleep, setImmediate as nextTurn } from 'node:timers/promises';
import type { DataSourceOptions, QueryRunner } from 'typeorm';
import { overloaded } from '../../common/errors/overloaded.js';
import { isLocked } from '../dialect/database-error.js';
import { UNIT_WAIT_MS } from '../units/group-commit.js';
import { ThreadConnection } from '../reading-threads/thread-connection.js';
import { dropOwed, writeOwed, gatherLateWrites, isOwedTo } from '../statements/late-writes.js';
import { placeholders, type SqlValue } from '../statements/statement.js';
import { Dialect, LOCK_PAUSES_MS, type Condition } from '../dialect/dialect.js';
import { sharedOptions } from '../dialect/data-source.js';
import { sqliteDriver } from '../dialect/sqlite-driver.js';
import { analyse, outgrownTables, type Query } from './sqlite-statistics.js';

interface Connection {
  pragma(text: string): unknown;
}

/** SQLite waits in the thread that answers requests, so it hardly may; longer waits are in {@link SqliteDialect.begin}. */
const BUSY_TIMEOUT_MS = 5;
/** Until the file is open nothing is answered anyway. */
const OPEN_TIMEOUT_MS = 10_000;
/** Waiting to be alone ends soon if another process has the file open. */
const SOLE_TIMEOUT_MS = 2_000;
const CACHE_KIB = 32_768;
/** Page size of new files (docs/adr/0019). */
const PAGE_BYTES = 8_192;
/** Rows of each index that are looked at for statistics. */
const ANALYSED_ROWS = 1_000;

function tune(connection: Connection): void {
  // Before the first page is written; a file that is there keeps what it has.
  connection.pragma(`page_size = ${PAGE_BYTES}`);
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma(`analysis_limit = ${ANALYSED_ROWS}`);
  tuneReader(connection);
}

function tuneReader(connection: Connection): void {
  connection.pragma(`cache_size = -${CACHE_KIB}`);
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
}

/** SQLite: one connection writes, another one reads the same write-ahead log. */
export class SqliteDialect extends Dialect {
  readonly hasOneWriter = true;
  readonly lockInShareMode = '';
  readonly lockForUpdate = '';
  readonly forUpdate = {};
  readonly now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
  readonly orderedJoin = 'CROSS JOIN';
  readonly insertOrIgnore = 'INSERT OR IGNORE';

  constructor(private readonly file: string) {
    super();
  }

  byIndex(name: string): string {
    return ` INDEXED BY ${name}`;
  }

  readonly system = 'sqlite';

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
    return this.options({ prepareDatabase: tune });
  }

  readerOptions(): DataSourceOptions {
    return this.options({ readonly: true, fileMustExist: true, prepareDatabase: tuneReader });
  }

  private options(extra: object): DataSourceOptions {
    return {
      ...sharedOptions(),
      type: 'better-sqlite3',
      driver: sqliteDriver(),
      database: this.file,
      statementCacheSize: 500,
      timeout: OPEN_TIMEOUT_MS,
      ...extra,
    };
  }

  /** A service that only has the file open is enough to be refused, and none can open it meanwhile. */
  override soleOptions(): DataSourceOptions {
    const prepareDatabase = (connection: Connection): void => {
      // Before the first look at the write-ahead log: later on it would lock no other connection out.
      connection.pragma('locking_mode = EXCLUSIVE');
      tune(connection);
    };
    return this.options({ timeout: SOLE_TIMEOUT_MS, prepareDatabase });
  }

  /** IMMEDIATE takes the write lock at once: a unit that reads first could otherwise not be upgraded to a writer. */
  async begin(runner: QueryRunner, until = performance.now() + UNIT_WAIT_MS): Promise<void> {
    const { shortest, longest } = LOCK_PAUSES_MS;
    for (;;) {
      StatementTurns.begin(runner);
      try {
        await runner.query('BEGIN IMMEDIATE');
        break;
      } catch (error) {
        if (!isLocked(error)) throw error;
        if (performance.now() >= until) throw overloaded('Another process has locked the database.', error);
        await sleep(shortest + Math.random() * (longest - shortest));
      }
    }
    // With this TypeORM opens no transactions of its own inside this one.
    Object.assign(runner, { isTransactionActive: true });
  }

  /** Units of work are one after the other anyway. */
  hold(): Promise<void> {
    return Promise.resolve();
  }

  async commit(runner: QueryRunner): Promise<void> {
    await writeOwed(runner);
    await runner.query('COMMIT');
    Object.assign(runner, { isTransactionActive: false });
    // What follows may be long as well: the full-text index writes with the COMMIT, and then the disk is waited for.
    await allTurns.get(runner)?.giveWay();
  }

  async rollback(runner: QueryRunner): Promise<void> {
    Object.assign(runner, { isTransactionActive: false });
    dropOwed(runner);
    await runner.query('ROLLBACK');
  }

  /** The first statement that reads is the moment. */
  async beginSnapshot(runner: QueryRunner): Promise<void> {
    await runner.query('BEGIN');
    Object.assign(runner, { isTransactionActive: true });
    await runner.query('SELECT 1 FROM sqlite_master LIMIT 1');
  }

  /** A connection of another process keeps {@link soleOptions} out, and needs not be counted. */
  othersConnected(): Promise<number> {
    return Promise.resolve(0);
  }

  exactDouble(column: string): string {
    return column;
  }

  comesAfter(columns: readonly string[], key: readonly SqlValue[]): Condition {
    return { sql: `(${columns.join(', ')}) > (${placeholders(key)})`, values: key };
  }

  deletionOf(table: string, condition: string, most: number): string {
    return `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${most})`;
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

  override async refreshStatistics(runner: QueryRunner): Promise<void> {
    const query: Query = (sql, values) => runner.query(sql, values && [...values]);
    await this.exclusively(runner, async () => {
      for (const table of await outgrownTables(query)) await analyse(query, table);
    });
  }

  /** In a thread, since a large index takes some hundred milliseconds, in which writes wait and reads do not. */
  override async renewStatistics(): Promise<void> {
    const thread = new ThreadConnection(this.file, 'statistics', { isReadOnly: false });
    const query: Query = (sql, values) => thread.select(sql, values);
    try {
      await query(`PRAGMA analysis_limit = ${ANALYSED_ROWS}`);
      for (const table of await outgrownTables(query)) {
        await query('BEGIN IMMEDIATE');
        await analyse(query, table);
        await query('COMMIT');
      }
    } finally {
      await thread.stop();
    }
  }
}

/** Milliseconds that statements may take one after the other before anything else of the process has its turn. */
const TURN_MS = 8;

const allTurns = new WeakMap<QueryRunner, StatementTurns>();

/**
 * Gives sockets and timers their turn between two statements of a transaction, after some milliseconds: SQLite works in this
 * thread, and a unit of a thousand statements would be one long pause.
 */
class StatementTurns {
  private since = performance.now();

  private constructor(query: QueryRunner['query'], runner: QueryRunner) {
    gatherLateWrites(runner);
    const behindOthers = async (...statement: Parameters<QueryRunner['query']>): Promise<unknown> => {
      await this.giveWay();
      await writeOwed(runner, statement[0]);
      return query(...statement);
    };
    // Most statements have nothing to wait for, and each promise costs as much as a small statement takes.
    const inTurns = (...statement: Parameters<QueryRunner['query']>): Promise<unknown> =>
      this.isOver() || isOwedTo(runner, statement[0]) ? behindOthers(...statement) : query(...statement);
    Object.assign(runner, { query: inTurns });
  }

  /** Begins the first turn of a transaction. All statements of its connection give way from then on. */
  static begin(runner: QueryRunner): void {
    const turns = allTurns.get(runner) ?? new StatementTurns(runner.query.bind(runner), runner);
    allTurns.set(runner, turns);
    turns.since = performance.now();
  }

  async giveWay(): Promise<void> {
    if (!this.isOver()) return;
    await nextTurn();
    this.since = performance.now();
  }

  private isOver(): boolean {
    return performance.now() - this.since >= TURN_MS;
  }
}
