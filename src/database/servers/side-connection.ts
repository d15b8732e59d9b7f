import type { Connection, RowDataPacket } from 'mysql2';
import type { Opened } from './connecting.js';

/** A server that takes longer for a probe does not work. */
const ANSWER_MS = 2_000;

/**
 * The one connection to a server beside the pools: for probes, and for what ends a statement that hangs. At a server that
 * does not answer it waits for that as well, so that there are never two.
 */
export class SideConnection {
  private connection: Connection | null = null;
  private isBusy = false;
  private isClosed = false;

  constructor(private readonly open: () => Opened) {}

  /** @throws the error of the server or the driver; also while a former statement is not answered */
  ask(sql: string): Promise<RowDataPacket[]> {
    if (this.isBusy || this.isClosed) return Promise.reject(unanswered());
    this.isBusy = true;
    const connection = this.connected();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(unanswered());
      }, ANSWER_MS);
      connection.query<RowDataPacket[]>(sql, (error, rows) => {
        clearTimeout(timer);
        this.isBusy = false;
        if (error) reject(error);
        else resolve(rows);
      });
    });
  }

  /** Has the server end the statement of another connection. */
  kill(threadId: number): void {
    if (!this.isClosed) this.connected().query(`KILL QUERY ${threadId}`, () => undefined);
  }

  /** Closes it, unless an answer is awaited; the next statement opens another one. */
  renew(): void {
    if (this.isBusy) return;
    this.connection?.destroy();
    this.connection = null;
  }

  close(): void {
    this.isClosed = true;
    this.connection?.destroy();
    this.connection = null;
  }

  private connected(): Connection {
    if (this.connection !== null) return this.connection;
    const { connection, socket } = this.open();
    this.connection = connection;
    const forget = (): void => {
      if (this.connection === connection) this.connection = null;
    };
    connection.on('error', forget).on('end', forget);
    socket.once('close', forget).unref();
    return connection;
  }
}

function unanswered(): Error {
  return Object.assign(new Error('The server does not answer.'), { code: 'ETIMEDOUT' });
}
