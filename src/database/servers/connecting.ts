import type mysql2 from 'mysql2';
import type { Connection, ConnectionOptions } from 'mysql2';
import type { Socket } from 'node:net';
import { createRequire } from 'node:module';

const CONNECT_TIMEOUT_MS = 5_000;

/** The driver. Loaded where it is used: SQLite needs no memory for it. */
export function loadDriver(): typeof mysql2 {
  return createRequire(import.meta.url)('mysql2') as typeof mysql2;
}

/** Typed as any stream; without one of ours it is a socket, over which TLS may lie. */
export function socketOf(connection: Connection): Socket {
  return (connection as unknown as { readonly stream: Socket }).stream;
}

/**
 * Begins to connect beside the pools. Only a connection that the system does not accept is given up: a server that hangs
 * comes to all of them in the end.
 *
 * @param silentSeconds the server ends the connection, and its locks, if it receives nothing for so long
 * @param lost called when the connection has ended, perhaps more than once
 */
export function openConnection(options: ConnectionOptions, silentSeconds: number, lost: () => void): Connection {
  const connection = loadDriver().createConnection({ ...options, connectTimeout: 0 });
  const socket = socketOf(connection);
  const timer = setTimeout(() => {
    if (socket.connecting) socket.destroy(Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' }));
  }, CONNECT_TIMEOUT_MS).unref();
  connection.on('error', lost);
  socket
    .once('close', () => {
      clearTimeout(timer);
      lost();
    })
    .unref();
  connection.query(`SET SESSION wait_timeout = ${silentSeconds}`, () => undefined);
  return connection;
}
