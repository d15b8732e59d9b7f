import type mysql2 from 'mysql2';
import type { Pool, PoolConnection, PoolOptions, QueryError } from 'mysql2';
import { createRequire } from 'node:module';
import { isQueryTimeout } from '../database-error.js';

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

/**
 * Destroys a connection whose query ran into the driver's time limit: it is still busy with the old query,
 * and whoever got it from the pool next would wait for that, on a dead server for ever.
 */
function destroyAfterTimeout(connection: PoolConnection): void {
  const query = connection.query.bind(connection) as (...call: unknown[]) => unknown;
  Object.assign(connection, {
    query: (...call: unknown[]) => {
      const callback = call.pop() as (error: QueryError | null, ...rest: unknown[]) => void;
      return query(...call, (error: QueryError | null, ...rest: unknown[]) => {
        if (isQueryTimeout(error)) connection.destroy();
        callback(error, ...rest);
      });
    },
  });
}

/** TypeORM asks for the promises of a connection with every statement, and mysql2 would make new ones each time. */
function keepPromises(connection: PoolConnection): void {
  const promises = connection.promise();
  Object.assign(connection, { promise: () => promises });
}

/** The mysql2 driver, with sessions that are set up and never hang. Loaded where it is used: SQLite needs no memory for it. */
export function mysqlDriver(): object {
  const mysql = createRequire(import.meta.url)('mysql2') as typeof mysql2;
  return {
    ...mysql,
    createPool(options: PoolOptions): Pool {
      const pool = mysql.createPool(options);
      pool.on('connection', (connection) => {
        for (const statement of SESSION) connection.query(statement, () => undefined);
        destroyAfterTimeout(connection);
        keepPromises(connection);
      });
      return pool;
    },
  };
}
