import type mysql2 from 'mysql2';
import type { Pool, PoolConnection, PoolOptions, QueryError, RowDataPacket } from 'mysql2';
import { createRequire } from 'node:module';
import { isQueryTimeout, isReadOnly } from '../database-error.js';
import type { PacketLimit } from '../statements/packets.js';

const STATEMENT_TIMEOUT_SECONDS = 10;
const LOCK_WAIT_SECONDS = 5;

/**
 * The settings of every session, made before its first statement. Each server reads only its own kind of comment.
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

const PACKET_LIMIT = 'SELECT @@max_allowed_packet AS bytes';

/** Longer than this no caller waits for a connection. Above the time that one takes to be refused. */
const ACQUIRE_MS = 8_000;

/** What is known of a server, for all of its pools. */
export interface ServerState {
  readonly demotions: Demotions;
  /** Learns what the server takes. */
  readonly packets: PacketLimit;
}

type Acquired = (error: Error | null, connection?: PoolConnection) => void;

/** The pool as TypeORM uses it: it hands out sessions that are set up, in time, and none to a server that was demoted. */
class Sessions {
  private readonly ready = new WeakSet<PoolConnection>();
  /** When each connection was opened, in the milliseconds of `performance.now()`. */
  private readonly openedAt = new WeakMap<PoolConnection, number>();

  constructor(
    private readonly acquire: (callback: Acquired) => void,
    private readonly server: ServerState,
    private readonly acquireMs: number,
  ) {}

  opened(connection: PoolConnection): void {
    this.openedAt.set(connection, performance.now());
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
    if (this.server.demotions.isUsable(this.openedAt.get(connection) ?? 0)) {
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
      this.readPacketLimit(connection, callback);
      return;
    }
    connection.query({ sql: statement, timeout: this.acquireMs }, (error) => {
      if (error) {
        connection.destroy();
        callback(error);
      } else this.setUp(connection, callback, at + 1);
    });
  }

  private readPacketLimit(connection: PoolConnection, callback: Acquired): void {
    connection.query<RowDataPacket[]>({ sql: PACKET_LIMIT, timeout: this.acquireMs }, (error, rows) => {
      if (error) {
        connection.destroy();
        callback(error);
        return;
      }
      this.server.packets.learn(Number(rows[0]?.bytes));
      this.handOut(connection, callback);
    });
  }

  private handOut(connection: PoolConnection, callback: Acquired): void {
    this.ready.add(connection);
    callback(null, connection);
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
          if (isReadOnly(error)) this.server.demotions.note();
          if (isQueryTimeout(error) || isReadOnly(error)) connection.destroy();
          callback(error, ...rest);
        });
      },
    });
  }
}

/** How often at most all connections are replaced while a server goes on refusing writes. */
const REPLACED_EVERY_MS = 1_000;

/**
 * When the server said that it takes no writes any more. The pool for reading hears it from the one for writing, since
 * a demoted server refuses no read: it would be asked for ever, and answer with what was true at the failover.
 */
export class Demotions {
  private last = -Infinity;
  /** The refusal before which a connection must have been opened to be replaced. */
  private replacedBefore = -Infinity;

  note(): void {
    this.last = performance.now();
  }

  /** Whether a connection may go on being used. A refusal soon after another one counts too, but later. */
  isUsable(openedAt: number): boolean {
    if (performance.now() - this.replacedBefore >= REPLACED_EVERY_MS) this.replacedBefore = this.last;
    return openedAt > this.replacedBefore;
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
 * @param server what the pools of one server share
 * @param acquireMs how long a caller waits for a connection
 */
export function mysqlDriver(server: ServerState, acquireMs = ACQUIRE_MS): object {
  const mysql = createRequire(import.meta.url)('mysql2') as typeof mysql2;
  return {
    ...mysql,
    createPool(options: PoolOptions): Pool {
      const pool = mysql.createPool(options);
      const sessions = new Sessions(pool.getConnection.bind(pool), server, acquireMs);
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
