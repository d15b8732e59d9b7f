import type { DataSourceOptions, QueryRunner } from 'typeorm';
import { Dialect } from './dialect.js';
import { mysqlDriver } from './mysql-driver.js';
import { SHARED_OPTIONS } from './shared-options.js';

const POOL_SIZE = 10;
/** Waiting callers per pool; more than that are told to come back. */
const POOL_QUEUE = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** The driver gives up a little later than the server should have (see `mysql-driver.ts`). */
const QUERY_TIMEOUT_MS = 15_000;
const MIGRATION_LOCK = 'content-service migrations';
const MIGRATION_LOCK_SECONDS = 120;

/** MySQL and MariaDB: two pools, so that a rush of writes leaves connections for reads. */
export class MysqlDialect extends Dialect {
  readonly hasOneWriter = false;
  readonly lockInShareMode = ' LOCK IN SHARE MODE';
  readonly lockForUpdate = ' FOR UPDATE';
  readonly orderedJoin = 'STRAIGHT_JOIN';
  readonly insertOrIgnore = 'INSERT IGNORE';

  constructor(
    private readonly url: string,
    readonly label: string,
  ) {
    super();
  }

  writerOptions(): DataSourceOptions {
    return {
      ...SHARED_OPTIONS,
      // Serves both servers; 'mysql' would misread the NULL defaults that MariaDB reports as text.
      type: 'mariadb',
      url: this.url,
      driver: mysqlDriver(),
      charset: 'utf8mb4_bin',
      timezone: 'Z',
      supportBigNumbers: true,
      bigNumberStrings: false,
      poolSize: POOL_SIZE,
      connectTimeout: CONNECT_TIMEOUT_MS,
      enableQueryTimeout: true,
      maxQueryExecutionTime: QUERY_TIMEOUT_MS,
      // TypeORM's errors have a stack of their own; `trace` would take another one of every statement.
      extra: { queueLimit: POOL_QUEUE, enableKeepAlive: true, trace: false },
    };
  }

  readerOptions(): DataSourceOptions {
    return this.writerOptions();
  }

  async begin(runner: QueryRunner): Promise<void> {
    await runner.startTransaction();
  }

  async commit(runner: QueryRunner): Promise<void> {
    await runner.commitTransaction();
  }

  async rollback(runner: QueryRunner): Promise<void> {
    await runner.rollbackTransaction();
  }

  /** DDL commits by itself on these servers, so a named lock and not a transaction keeps two processes apart. */
  async exclusively<Result>(runner: QueryRunner, work: () => Promise<Result>): Promise<Result> {
    const [row] = (await runner.query('SELECT GET_LOCK(?, ?) AS taken', [MIGRATION_LOCK, MIGRATION_LOCK_SECONDS])) as {
      taken: number | null;
    }[];
    if (row?.taken !== 1)
      throw new Error(`Another process has held the migration lock for ${MIGRATION_LOCK_SECONDS} s.`);
    try {
      return await work();
    } finally {
      await runner.query('SELECT RELEASE_LOCK(?)', [MIGRATION_LOCK]);
    }
  }

  refreshStatistics(): Promise<void> {
    return Promise.resolve(); // InnoDB keeps its statistics by itself
  }
}
