import type { ConnectionOptions } from 'mysql2';
import { loadDriver } from './connecting.js';
import { ServerPool } from './server-pool.js';
import type { Servers } from './servers.js';

/** Longer than this no caller waits for a connection. */
const WAIT_MS = 3_000;

/** The options of which TypeORM makes a pool. */
interface PoolOptions extends ConnectionOptions {
  readonly connectionLimit: number;
  readonly queueLimit: number;
}

/**
 * The mysql2 driver with pools of ours.
 *
 * @param servers what the pools of one database share
 * @param waitMs how long a caller waits for a connection
 */
export function mysqlDriver(servers: Servers, waitMs = WAIT_MS): object {
  return {
    ...loadDriver(),
    createPool({ connectionLimit, queueLimit, multipleStatements = false, ...base }: PoolOptions): ServerPool {
      servers.connectTo(base);
      return new ServerPool(servers, {
        size: connectionLimit,
        queue: queueLimit,
        waitMs,
        isWriting: multipleStatements,
      });
    },
  };
}
