import type mysql2 from 'mysql2';
import type { Connection, ConnectionOptions } from 'mysql2';
import type { Socket } from 'node:net';
import { createRequire } from 'node:module';

/** How long a server may take until its system accepts a connection. */
const CONNECT_TIMEOUT_MS = 5_000;
/** An idle connection is looked after from then on: one whose server is gone ends 10 s later. */
const KEEP_ALIVE_MS = 10_000;

/** A connection, and the socket whose end is the end of it at the server. */
export interface Opened {
  readonly connection: Connection;
  readonly socket: Socket;
}

/** The driver. Loaded where it is used: SQLite needs no memory for it. */
export function loadDriver(): typeof mysql2 {
  return createRequire(import.meta.url)('mysql2') as typeof mysql2;
}

/**
 * Begins to connect. Only what the system of the server has not accepted is given up after a time: a server that hangs
 * comes to a connection in the end, which takes its place there until then.
 */
export function openConnection(options: ConnectionOptions): Opened {
  const settings = { ...options, connectTimeout: 0, enableKeepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS };
  const connection = loadDriver().createConnection(settings);
  // Typed as any stream; without a `stream` of ours it is a socket. TLS lies over it and ends with it.
  const { stream: socket } = connection as unknown as { readonly stream: Socket };
  const timer = setTimeout(() => {
    if (socket.connecting) socket.destroy(Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' }));
  }, CONNECT_TIMEOUT_MS);
  const stop = (): void => {
    clearTimeout(timer);
  };
  socket.once('connect', stop).once('close', stop);
  return { connection, socket };
}
