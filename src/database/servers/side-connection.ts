import type mysql2 from 'mysql2';
import type { Connection, ConnectionOptions } from 'mysql2';
import type { Socket } from 'node:net';
import { createRequire } from 'node:module';

const CONNECT_TIMEOUT_MS = 5_000;
/** The server ends the connection, and its locks, if it receives nothing for so long. */
const SILENT_SECONDS = 30;

/** A connection beside the pools, for probes and for the locks of jobs. */
export interface SideConnection {
  /** In the milliseconds of `performance.now()`. */
  readonly openedAt: number;
  readonly connection: Connection;
  /** Aborted when the connection has ended, and its locks with it. */
  readonly lost: AbortSignal;
}

/** The driver. Loaded where it is used: SQLite needs no memory for it. */
export function loadDriver(): typeof mysql2 {
  return createRequire(import.meta.url)('mysql2') as typeof mysql2;
}

/** Typed as any stream; without one of ours it is a socket, over which TLS may lie. */
export function socketOf(connection: Connection): Socket {
  return (connection as unknown as { readonly stream: Socket }).stream;
}

/** Begins to connect. Only a connection that the system does not accept is given up: a server that hangs keeps them all. */
export function openSideConnection(options: ConnectionOptions): SideConnection {
  const connection = loadDriver().createConnection({ ...options, connectTimeout: 0 });
  const lost = new AbortController();
  const socket = socketOf(connection);
  const timer = setTimeout(() => {
    if (socket.connecting) socket.destroy(Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' }));
  }, CONNECT_TIMEOUT_MS).unref();
  const end = (): void => {
    clearTimeout(timer);
    lost.abort();
  };
  connection.on('error', end);
  socket.once('close', end).unref();
  connection.query(`SET SESSION wait_timeout = ${SILENT_SECONDS}`, () => undefined);
  return { openedAt: performance.now(), connection, lost: lost.signal };
}
