import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { Connection, RowDataPacket } from 'mysql2';
import { JobLocks } from '../common/jobs/job-locks.js';
import { Dialect } from './dialect/dialect.js';
import type { Servers } from './servers/servers.js';
import { serversOf } from './servers/mysql-dialect.js';
import { openConnection, socketOf } from './servers/connecting.js';

/** The server ends a connection that it has heard nothing of for so long, and its locks with it. */
const SILENT_SECONDS = 30;
const HEARD_EVERY_MS = 10_000;
const MAX_NAME = 64;

interface Line {
  readonly connection: Connection;
  readonly names: Set<string>;
  readonly lost: AbortController;
  readonly timer: NodeJS.Timeout;
  /** True if the last ping has not been answered yet. */
  isWaiting: boolean;
}

/** Named locks of the server, on a connection beside the pools. A file has one instance, which does everything. */
@Injectable()
export class ServerJobLocks extends JobLocks {
  private line: Line | null = null;

  private readonly servers: Servers | null;

  constructor(dialect: Dialect) {
    super();
    this.servers = serversOf(dialect);
  }

  override async run(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.servers === null) return work(signal);
    const line = this.connected();
    if (line === null || !(await this.has(line, name))) return;
    await work(AbortSignal.any([signal, line.lost.signal]));
  }

  override giveBack(): void {
    this.line?.connection.destroy();
  }

  private async has({ connection, names, lost }: Line, name: string): Promise<boolean> {
    if (lost.signal.aborted) return false;
    if (names.has(name)) return true;
    const [rows] = await connection
      .promise()
      .query<RowDataPacket[]>('SELECT GET_LOCK(?, 0) AS taken', [this.lockName(name)]);
    if (Number(rows[0]?.taken) !== 1) return false;
    names.add(name);
    return !lost.signal.aborted;
  }

  /** Names of locks are those of the whole server, which may have several databases. */
  private lockName(name: string): string {
    const full = `${this.servers?.connectionOptions?.database ?? ''} ${name}`;
    return full.length <= MAX_NAME ? full : createHash('sha256').update(full).digest('hex');
  }

  private connected(): Line | null {
    // A server that hangs would come to each of them in the end.
    const options = this.servers?.isOpen ? null : this.servers?.connectionOptions;
    if (this.line || !options) return this.line;
    const connection = openConnection(options);
    const timer = setInterval(() => {
      this.ping(line);
    }, HEARD_EVERY_MS).unref();
    const line: Line = { connection, timer, names: new Set(), lost: new AbortController(), isWaiting: false };
    const end = (): void => {
      clearInterval(timer);
      line.lost.abort();
      if (this.line === line) this.line = null;
      connection.destroy();
    };
    connection.on('error', end).on('end', end);
    socketOf(connection).once('close', end).unref();
    connection.query(`SET SESSION wait_timeout = ${SILENT_SECONDS}`, () => undefined);
    return (this.line = line);
  }

  /** A server that has not answered the ping before may have ended the connection already. */
  private ping(line: Line): void {
    if (line.isWaiting) line.connection.destroy();
    line.isWaiting = true;
    line.connection.ping((error) => {
      line.isWaiting = error !== null;
    });
  }
}
