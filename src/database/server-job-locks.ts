import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { RowDataPacket } from 'mysql2';
import { JobLocks } from '../common/jobs/job-locks.js';
import { Dialect } from './dialect/dialect.js';
import type { Servers } from './servers/servers.js';
import type { SideConnection } from './servers/side-connection.js';
import { serversOf } from './mysql/mysql-dialect.js';

const MAX_NAME = 64;

/** Named locks of the server, on the connection beside the pools. SQLite has one instance, which does everything. */
@Injectable()
export class ServerJobLocks extends JobLocks {
  private readonly servers: Servers | null;
  /** Names of the locks that each connection holds. */
  private readonly held = new WeakMap<SideConnection, Set<string>>();

  constructor(dialect: Dialect) {
    super();
    this.servers = serversOf(dialect);
  }

  override async run(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.servers === null) return work(signal);
    const side = this.servers.side();
    if (side === null || !(await this.has(side, name))) return;
    await work(AbortSignal.any([signal, side.lost]));
  }

  override giveBack(): void {
    this.servers?.endSide();
  }

  private async has(side: SideConnection, name: string): Promise<boolean> {
    const names = this.held.get(side) ?? new Set();
    this.held.set(side, names);
    if (!names.has(name) && (await this.take(side, name))) names.add(name);
    return names.has(name) && !side.lost.aborted;
  }

  private async take({ connection }: SideConnection, name: string): Promise<boolean> {
    const [rows] = await connection
      .promise()
      .query<RowDataPacket[]>('SELECT GET_LOCK(?, 0) AS taken', [this.lockName(name)]);
    return Number(rows[0]?.taken) === 1;
  }

  /** Names of locks are those of the whole server, which may have several databases. */
  private lockName(name: string): string {
    const full = `${this.servers?.database ?? ''} ${name}`;
    return full.length <= MAX_NAME ? full : createHash('sha256').update(full).digest('hex');
  }
}
