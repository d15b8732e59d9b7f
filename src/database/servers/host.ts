import type { ConnectionOptions } from 'mysql2';
import type { ServerAddress } from '../../config/values/database-servers.js';
import { isLeaving, isMissingTable } from '../database-error.js';
import { Breaker } from './breaker.js';
import { openConnection } from './connecting.js';
import { factsOf, type ServerReport } from './server-report.js';
import { SideConnection } from './side-connection.js';

/** What a probe has found. */
export interface Finding {
  /** It reads tables: a node that has lost its group answers, and reads none. */
  readonly isAnswering: boolean;
  readonly isWritable: boolean;
}

/** A server of the database: how to reach it, and how it does. */
export class Host {
  readonly breaker: Breaker;
  readonly side: SideConnection;
  /** Since when each probe has found it fit for writing, in the milliseconds of `performance.now()`; `null`: the last one has not. */
  fitSince: number | null = null;
  /** Whether the last probe was answered. */
  isAnswering = true;

  /**
   * @param base of all connections
   * @param address overrides that of `base`
   * @param changed is called when the breaker has opened or closed
   */
  constructor(
    private readonly base: ConnectionOptions,
    private readonly address: ServerAddress | null,
    changed: (host: Host) => void,
  ) {
    this.breaker = new Breaker(() => {
      // An old connection may answer where no new one is let in.
      if (this.breaker.isOpen) this.side.renew();
      changed(this);
    });
    this.side = new SideConnection(() => openConnection(this.options()));
  }

  get name(): string {
    const { host, port } = this.address ?? this.base;
    return `${host ?? 'localhost'}:${port ?? 3306}`;
  }

  options(extra: ConnectionOptions = {}): ConnectionOptions {
    return { ...this.base, ...this.address, ...extra };
  }

  async probe(): Promise<Finding> {
    const finding = await this.find();
    this.isAnswering = finding.isAnswering;
    this.breaker.probed(finding.isAnswering);
    if (!finding.isAnswering || !finding.isWritable) this.fitSince = null;
    else this.fitSince ??= performance.now();
    return finding;
  }

  /** What the server says of itself, on a connection beside that of the probes. */
  report(): Promise<ServerReport['facts']> {
    return factsOf(new SideConnection(() => openConnection(this.options())));
  }

  private async find(): Promise<Finding> {
    try {
      await this.readTable();
      const [row] = await this.side.ask('SELECT @@GLOBAL.read_only AS state');
      return { isAnswering: true, isWritable: isOff(row?.state) };
    } catch (error) {
      // It lets connections in and says itself that it serves none of them.
      if (isLeaving(error)) this.breaker.open();
      return { isAnswering: false, isWritable: false };
    }
  }

  /** A new database has no tables yet. */
  private async readTable(): Promise<void> {
    try {
      await this.side.ask('SELECT 1 FROM migrations LIMIT 1');
    } catch (error) {
      if (!isMissingTable(error)) throw error;
    }
  }
}

/** A number, or a word since MariaDB 12. */
function isOff(state: unknown): boolean {
  return Number(state) === 0 || state === 'OFF';
}
