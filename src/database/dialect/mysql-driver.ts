import type mysql2 from 'mysql2';
import type { Pool, PoolConnection, PoolOptions, QueryError } from 'mysql2';
import { createRequire } from 'node:module';
import { isQueryTimeout, isReadOnly } from '../database-error.js';

const STATEMENT_TIMEOUT_SECONDS = 10;
const LOCK_WAIT_SECONDS = 5;

/**
 * What every session is told before its first statement. Each server reads only its own kind of comment.
 *
 * @see https://mariadb.com/kb/en/comment-syntax/
 */
const SESSION = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  `SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS},
     sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'
     /*M! , max_statement_time = ${STATEMENT_TIMEOUT_SECONDS} */
     /*!80000 , max_execution_time = ${STATEMENT_TIMEOUT_SECONDS * 1000} */`,
];

/** Longer than this no caller waits for a connection. Above the time that one takes to be refused. */
const ACQUIRE_MS = 8_000;

type Acquired = (error: Error | null, connection?: PoolConnection) => void;

/** The pool as TypeORM uses it: it hands out sessions that are set up, in time, and none to a server that was demoted. */
class Sessions {
  private readonly ready = new WeakSet<PoolConnection>();
  /** Those that were open when the server said that it takes no writes any more. */
  private demoted = new WeakSet<PoolConnection>();
  private readonly open = new Set<PoolConnection>();

  constructor(
    private readonly acquire: (callback: Acquired) => void,
    private readonly acquireMs: number,
  ) {}

  opened(connection: PoolConnection): void {
    this.open.add(connection);
    connection.once('end', () => this.open.delete(connection));
    this.watch(connection);
    keepPromises(connection);
  }

  get(callback: Acquired): void {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      callback(Object.assign(new Error('No connection of the pool became free in time.'), { code: 'POOL_TIMEOUT' }));
    }, this.acquireMs);
    this.take((error, connection) => {
      clearTimeout(timer);
      if (isLate) connection?.release();
      else callback(error, connection);
    });
  }

  private take(callback: Acquired): void {
    this.acquire((error, connection) => {
      if (error || !connection) callback(error);
      else if (this.ready.has(connection)) this.check(connection, callback);
      else this.setUp(connection, callback);
    });
  }

  private check(connection: PoolConnection, callback: Acquired): void {
    if (!this.demoted.has(connection)) {
      callback(null, connection);
      return;
    }
    connection.destroy();
    this.take(callback);
  }

  /** Without its settings a session would cut off texts, or wait for ever, and say nothing. */
  private setUp(connection: PoolConnection, callback: Acquired, at = 0): void {
    const statement = SESSION[at];
    if (statement === undefined) {
      this.ready.add(connection);
      callback(null, connection);
      return;
    }
    connection.query({ sql: statement, timeout: this.acquireMs }, (error) => {
      if (error) {
        connection.destroy();
        callback(error);
      } else this.setUp(connection, callback, at + 1);
    });
  }

  /**
   * Destroys a connection whose query ran into the driver's time limit: it is still busy with the old query, and the
   * next one that the pool gave it to would wait for that, on a dead server for ever. Those to a server that takes no
   * writes any more go as well, so that new ones lead to the server that does.
   */
  private watch(connection: PoolConnection): void {
    const query = connection.query.bind(connection) as (...call: unknown[]) => unknown;
    Object.assign(connection, {
      query: (...call: unknown[]) => {
        const callback = call.pop() as (error: QueryError | null, ...rest: unknown[]) => void;
        return query(...call, (error: QueryError | null, ...rest: unknown[]) => {
          if (isReadOnly(error)) this.demoted = new WeakSet(this.open);
          if (isQueryTimeout(error) || isReadOnly(error)) connection.destroy();
          callback(error, ...rest);
        });
      },
    });
  }
}

/** TypeORM asks for the promises of a connection with every statement, and mysql2 would make new ones each time. */
function keepPromises(connection: PoolConnection): void {
  const promises = connection.promise();
  Object.assign(connection, { promise: () => promises });
}

/**
 * The mysql2 driver, with sessions that are set up and never hang. Loaded where it is used: SQLite needs no memory for it.
 *
 * @param acquireMs how long a caller waits for a connection
 */
export function mysqlDriver(acquireMs = ACQUIRE_MS): object {
  const mysql = createRequire(import.meta.url)('mysql2') as typeof mysql2;
  return {
    ...mysql,
    createPool(options: PoolOptions): Pool {
      const pool = mysql.createPool(options);
      const sessions = new Sessions(pool.getConnection.bind(pool), acquireMs);
      pool.on('connection', (connection) => {
        sessions.opened(connection);
      });
      return Object.assign(pool, {
        getConnection: (callback: Acquired) => {
          sessions.get(callback);
        },
      });
    },
  };
}
