import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { Connection, RowDataPacket } from 'mysql2';
import { JobLocks } from '../common/jobs/job-locks.js';
import { Dialect } from './dialect/dialect.js';
import type { Servers } from './servers/servers.js';
import { serversOf } from './servers/mysql-dialect.js';
import { openConnection } from './servers/connecting.js';

/** The server ends a connection, and its locks, if it receives nothing for so long. */
const SILENT_SECONDS = 30;
const PING_EVERY_MS = 10_000;
const MAX_NAME = 64;

/** The locks of this process, and their connection. */
interface HeldLocks {
  readonly connection: Connection;
  readonly names: Set<string>;
  readonly lost: AbortController;
  /** True if the last ping has not been answered yet. */
  isWaiting: boolean;
}

/** Named locks of the server, on a connection beside the pools. SQLite has one instance, which does everything. */
@Injectable()
export class ServerJobLocks extends JobLocks {
  private held: HeldLocks | null = null;
  private readonly servers: Servers | null;

  constructor(dialect: Dialect) {
    super();
    this.servers = serversOf(dialect);
  }

  override async run(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.servers === null) return work(signal);
    const held = this.connected();
    if (held === null || !(await this.has(held, name))) return;
    await work(AbortSignal.any([signal, held.lost.signal]));
  }

  override giveBack(): void {
    this.held?.connection.destroy();
  }

  private async has({ connection, names, lost }: HeldLocks, name: string): Promise<boolean> {
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

  private connected(): HeldLocks | null {
    // A server that hangs would come to each of them in the end.
    const options = this.servers?.isOpen ? null : this.servers?.connectionOptions;
    if (this.held || !options) return this.held;
    const lost = new AbortController();
    const connection = openConnection(options, SILENT_SECONDS, () => {
      clearInterval(timer);
      lost.abort();
      if (this.held?.lost === lost) this.held = null;
      connection.destroy();
    });
    const held: HeldLocks = { connection, names: new Set(), lost, isWaiting: false };
    const timer = setInterval(() => {
      this.ping(held);
    }, PING_EVERY_MS).unref();
    return (this.held = held);
  }

  /** A server that has not answered the ping before may have ended the connection already. */
  private ping(held: HeldLocks): void {
    if (held.isWaiting) held.connection.destroy();
    held.isWaiting = true;
    held.connection.ping((error) => {
      held.isWaiting = error !== null;
    });
  }
}
