import type { Connection, RowDataPacket } from 'mysql2';
import type { Socket } from 'node:net';
import type { Opened } from './connecting.js';

/** A server that takes longer for a probe does not work. */
const ANSWER_MS = 2_000;
/** After so long without an answer a second connection is tried: the first may lead to a server that is gone. */
const SECOND_LINE_MS = 3_000;

/** A connection, and since when an answer is awaited there, in the milliseconds of `performance.now()`. */
interface Line {
  readonly connection: Connection;
  readonly socket: Socket;
  askedAt: number | null;
}

/**
 * The connection to a server beside the pools: for probes, and for what ends a statement that hangs. While a server does
 * not answer there are two of them at most: the first one waits for its answer, the second one shows whether the name of
 * the server leads to one that answers, and replaces the first one then.
 */
export class SideConnection {
  private line: Line | null = null;
  private second: Line | null = null;
  private isClosed = false;

  constructor(private readonly open: () => Opened) {}

  /** @throws the error of the server or the driver; also while former statements are not answered */
  ask(sql: string): Promise<RowDataPacket[]> {
    const line = this.isClosed ? null : this.freeLine();
    if (line === null) return Promise.reject(unanswered());
    line.askedAt = performance.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(unanswered());
      }, ANSWER_MS);
      line.connection.query<RowDataPacket[]>(sql, (error, rows) => {
        clearTimeout(timer);
        line.askedAt = null;
        // A refusal is an answer as well.
        if (error?.fatal !== true && line === this.second) this.replaceFirst(line);
        if (error) reject(error);
        else resolve(rows);
      });
    });
  }

  /** Has the server end the statement of another connection. */
  kill(threadId: number): void {
    if (!this.isClosed) this.firstLine().connection.query(`KILL QUERY ${threadId}`, () => undefined);
  }

  /**
   * Has the server end another connection. Nothing is asked of a server that does not answer, nor of one at another
   * address: its connections have numbers of their own.
   *
   * @param address of the server at the other end of that connection
   * @param ended is called when the server has ended it, or has none of that number, or is another one
   */
  end({ threadId, address }: { readonly threadId: number; readonly address: string | undefined }, ended: () => void) {
    const { line } = this;
    if (this.isClosed || line?.askedAt !== null) return;
    if (line.socket.remoteAddress !== address) {
      ended();
      return;
    }
    line.connection.query(`KILL ${threadId}`, (error) => {
      if (!error || error.code === 'ER_NO_SUCH_THREAD') ended();
    });
  }

  /** Closes it, unless an answer is awaited; the next statement opens another one. */
  renew(): void {
    if (this.line?.askedAt !== null) return;
    this.line.connection.destroy();
    this.line = null;
  }

  close(): void {
    this.isClosed = true;
    for (const line of [this.line, this.second]) line?.connection.destroy();
    this.line = this.second = null;
  }

  /** A connection on which no answer is awaited; `null`: there is none yet. */
  private freeLine(): Line | null {
    const first = this.firstLine();
    if (first.askedAt === null) return first;
    if (performance.now() - first.askedAt < SECOND_LINE_MS) return null;
    this.second ??= this.opened();
    return this.second.askedAt === null ? this.second : null;
  }

  private firstLine(): Line {
    this.line ??= this.opened();
    return this.line;
  }

  private replaceFirst(line: Line): void {
    this.line?.socket.destroy();
    this.line = line;
    this.second = null;
  }

  private opened(): Line {
    const { connection, socket } = this.open();
    const line: Line = { connection, socket, askedAt: null };
    const forget = (): void => {
      if (this.line === line) this.line = null;
      if (this.second === line) this.second = null;
    };
    connection.on('error', forget).on('end', forget);
    socket.once('close', forget).unref();
    return line;
  }
}

function unanswered(): Error {
  return Object.assign(new Error('The server does not answer.'), { code: 'ETIMEDOUT' });
}
