import type { DataSourceOptions, EntityManager, QueryRunner } from 'typeorm';
import { DATABASE_POOL, type DatabaseTls } from '../../config/values/database-url.js';
import { isUnanswered, outcomeUnknown } from '../dialect/database-error.js';
import { select, type SqlValue } from '../statements/statement.js';
import { ServerPool, type PoolOptions } from '../servers/server-pool.js';
import { LIMITS, LIMITS_OF_MIGRATIONS, SERVER_TIME } from '../dialect/session-settings.js';
import { Servers } from '../servers/servers.js';
import { loadDriver } from '../servers/side-connection.js';
import { StatementQueue } from '../statements/statement-queue.js';
import { Dialect, type Condition, type HeldTable } from '../dialect/dialect.js';
import { sharedOptions } from '../dialect/data-source.js';

/** Waiting callers per pool; more than that are refused as `overloaded`. */
const POOL_QUEUE = 2_000;
/** The driver gives up a little later than the server should have (`session-settings.ts`). */
const QUERY_TIMEOUT_MS = 15_000;
/** An idle connection is looked after from then on: one whose server is gone ends 10 s later. */
const KEEP_ALIVE_MS = 10_000;
const MIGRATION_LOCK = 'content-service migrations';
const MIGRATION_LOCK_SECONDS = 120;

const UNINDEXED: Readonly<Record<HeldTable, string>> = {
  api_tokens: 'scopes',
  app_secret: 'fingerprint',
  content_types: 'version',
  taxonomies: 'version',
  terms: 'created_at',
  users: 'created_at',
};

/** MySQL and MariaDB: two pools, so that a rush of writes leaves connections for reads. */
export class MysqlDialect extends Dialect {
  readonly system = 'mysql';
  readonly hasOneWriter = false;
  readonly lockInShareMode = ' LOCK IN SHARE MODE';
  readonly lockForUpdate = ' FOR UPDATE';
  readonly forUpdate = { lock: { mode: 'pessimistic_write' } } as const;
  readonly now = SERVER_TIME;
  readonly orderedJoin = 'STRAIGHT_JOIN';
  readonly insertOrIgnore = 'INSERT IGNORE';
  readonly fileForThreads = null;
  readonly servers = new Servers();

  constructor(
    private readonly url: string,
    readonly label: string,
    private readonly tls: DatabaseTls,
    private readonly pool = DATABASE_POOL,
  ) {
    super();
  }

  byIndex(name: string): string {
    return ` FORCE INDEX (${name})`;
  }

  addingTo(column: string): string {
    return `ON DUPLICATE KEY UPDATE ${column} = ${column} + VALUES(${column})`;
  }

  /** Several statements in one packet are for units of work alone (`statement-queue.ts`). */
  writerOptions(): DataSourceOptions {
    return this.options({ multipleStatements: true });
  }

  readerOptions(): DataSourceOptions {
    return this.options();
  }

  /** Goes to the server with the first statement. */
  async begin(runner: QueryRunner): Promise<void> {
    await StatementQueue.attachTo(runner, this.servers.packets).add('START TRANSACTION');
    // With this TypeORM opens no transactions of its own inside this one.
    Object.assign(runner, { isTransactionActive: true });
  }

  /** In the order of ids, so that two units wait for each other in turn and not in a circle. */
  async hold(manager: EntityManager, table: HeldTable, { sql, values }: Condition): Promise<void> {
    // By a column that stands in no index: a server locks nothing but what it reads.
    await select(manager, `SELECT ${UNINDEXED[table]} FROM ${table} WHERE ${sql} ORDER BY id FOR UPDATE`, values);
  }

  async commit(runner: QueryRunner): Promise<void> {
    // A unit whose statements all wait has no connection yet, and without one nothing can have been written.
    await runner.connect();
    try {
      await runner.query('COMMIT');
    } catch (error) {
      throw isUnanswered(error) ? outcomeUnknown(error) : error;
    }
    Object.assign(runner, { isTransactionActive: false });
  }

  async rollback(runner: QueryRunner): Promise<void> {
    Object.assign(runner, { isTransactionActive: false });
    StatementQueue.of(runner)?.drop();
    await runner.query('ROLLBACK');
  }

  /** READ COMMITTED, as sessions have it, would see something newer with each statement. */
  async beginSnapshot(runner: QueryRunner): Promise<void> {
    await runner.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await runner.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    Object.assign(runner, { isTransactionActive: true });
  }

  /** Accounts without further rights see the connections of their own kind, which are those of the service. */
  async othersConnected(runner: QueryRunner): Promise<number> {
    const [own] = (await runner.query('SELECT CONNECTION_ID() AS id, DATABASE() AS db')) as {
      id: number;
      db: string;
    }[];
    const all = (await runner.query('SHOW PROCESSLIST')) as { Id: number; db: string | null }[];
    return all.filter(({ Id, db }) => db === own?.db && Id !== own.id).length;
  }

  /** The driver adds up the digits of a short text by itself, and now and then gets the last one wrong. */
  exactDouble(column: string): string {
    return `CAST(${column} AS CHAR)`;
  }

  /** MySQL and MariaDB read a whole index for `(a, b) > (?, ?)`. */
  comesAfter(columns: readonly string[], key: readonly SqlValue[]): Condition {
    const steps = columns.map((column, n) =>
      [...columns.slice(0, n).map((equal) => `${equal} = ?`), `${column} > ?`].join(' AND '),
    );
    return { sql: `(${steps.join(' OR ')})`, values: columns.flatMap((_, n) => key.slice(0, n + 1)) };
  }

  deletionOf(): null {
    return null;
  }

  /** Out of the definition: `information_schema` of MySQL may be a day old. A new table says nothing of it. */
  async nextId(runner: QueryRunner, table: string): Promise<number> {
    const sql = `SHOW CREATE TABLE ${runner.dataSource.driver.escape(table)}`;
    const [row] = (await runner.query(sql)) as { 'Create Table': string }[];
    return Number(/^\).* AUTO_INCREMENT=(\d+)/m.exec(row?.['Create Table'] ?? '')?.[1] ?? 1);
  }

  /** DDL commits by itself, so a named lock and not a transaction keeps two processes apart. */
  async exclusively<Result>(runner: QueryRunner, work: () => Promise<Result>): Promise<Result> {
    await runner.connect();
    const options = runner.dataSource.driver.options as { enableQueryTimeout?: boolean };
    await runner.query(LIMITS_OF_MIGRATIONS);
    options.enableQueryTimeout = false;
    try {
      return await this.withMigrationLock(runner, work);
    } finally {
      options.enableQueryTimeout = true;
      await runner.query(LIMITS);
    }
  }

  private async withMigrationLock<Result>(runner: QueryRunner, work: () => Promise<Result>): Promise<Result> {
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

  private options(extra: object = {}): DataSourceOptions {
    return {
      ...sharedOptions(),
      // Serves MySQL as well; 'mysql' would misread the NULL defaults that MariaDB reports as text.
      type: 'mariadb',
      url: this.url,
      ...(this.tls ? { ssl: tlsOptions(this.tls) } : {}),
      driver: {
        ...loadDriver(),
        createPool: (pool: PoolOptions) => new ServerPool(this.servers, pool),
      },
      charset: 'utf8mb4_bin',
      timezone: 'Z',
      supportBigNumbers: true,
      bigNumberStrings: false,
      poolSize: this.pool,
      enableQueryTimeout: true,
      maxQueryExecutionTime: QUERY_TIMEOUT_MS,
      // TypeORM's errors have a stack of their own; `trace` would take another one of every statement.
      extra: { queueLimit: POOL_QUEUE, keepAliveInitialDelay: KEEP_ALIVE_MS, trace: false, ...extra },
    };
  }
}

/** The servers of a database; `null`: it is SQLite. */
export function serversOf(dialect: Dialect): Servers | null {
  return dialect instanceof MysqlDialect ? dialect.servers : null;
}

/** The driver does not compare the name of the certificate with that of the server unless it is asked to. */
function tlsOptions({ ca }: NonNullable<DatabaseTls>): object {
  return { rejectUnauthorized: true, verifyIdentity: true, minVersion: 'TLSv1.2', ...(ca === null ? {} : { ca }) };
}
