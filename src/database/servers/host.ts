import type { ConnectionOptions, RowDataPacket } from 'mysql2';
import type { ServerAddress } from '../../config/values/database-servers.js';
import { isLeaving, isMissingTable } from '../database-error.js';
import { Breaker } from './breaker.js';
import { openConnection, type Opened } from './connecting.js';
import { SERVER_TIME } from './server-variables.js';
import { END_WHEN_SILENT } from './session-settings.js';
import { variablesOf, type ServerReport } from './server-report.js';
import { SideConnection } from './side-connection.js';

/** The result of a probe. */
export interface ProbeResult {
  /** It reads tables: a node that has lost its group answers, and reads none. */
  readonly isAnswering: boolean;
  readonly isWritable: boolean;
}

/** The clock of a server and the last heartbeat in its tables, both in milliseconds since 1970, UTC. */
export interface ClockReading {
  readonly now: number;
  /** 0: it knows of none. */
  readonly beat: number;
  /** When it was answered, in the milliseconds of `performance.now()`. */
  readonly at: number;
  /** When this heartbeat was answered for the first time, likewise. */
  readonly beatSince: number;
}

const STATE = `SELECT ${SERVER_TIME} AS now, @@GLOBAL.read_only AS state`;
/** Reads a table: a node that has lost its group answers what needs none. */
const STATE_AND_HEARTBEAT = `${STATE}, (SELECT MAX(at) FROM heartbeats) AS beat`;

/** A server of the database: its address, its probes and its breaker. */
export class Host {
  readonly breaker: Breaker;
  readonly side: SideConnection;
  /** Since when each probe has found it fit for writing, in the milliseconds of `performance.now()`; `null`: the last one has not. */
  fitSince: number | null = null;
  /** Whether the last probe was answered. */
  isAnswering = true;
  /** `null`: no probe was answered yet. */
  clock: ClockReading | null = null;

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
    this.side = new SideConnection(() => this.openBeside());
  }

  get name(): string {
    const { host, port } = this.address ?? this.base;
    return `${host ?? 'localhost'}:${port ?? 3306}`;
  }

  options(extra: ConnectionOptions = {}): ConnectionOptions {
    return { ...this.base, ...this.address, ...extra };
  }

  async probe(): Promise<ProbeResult> {
    const finding = await this.find();
    this.isAnswering = finding.isAnswering;
    this.breaker.probed(finding.isAnswering);
    if (!finding.isAnswering || !finding.isWritable) this.fitSince = null;
    else this.fitSince ??= performance.now();
    return finding;
  }

  /** The variables of the server, on a connection beside that of the probes. */
  report(): Promise<ServerReport['variables']> {
    return variablesOf(new SideConnection(() => this.openBeside()));
  }

  /** A connection beside the pools, which the server ends as well when it hears no more of it. */
  private openBeside(): Opened {
    const opened = openConnection(this.options());
    opened.connection.query(END_WHEN_SILENT, () => undefined);
    return opened;
  }

  private async find(): Promise<ProbeResult> {
    try {
      const [row] = await this.look();
      this.clock = this.reading(Number(row?.now), Number(row?.beat ?? 0));
      return { isAnswering: true, isWritable: isOff(row?.state) };
    } catch (error) {
      // It lets connections in and says itself that it serves none of them.
      if (isLeaving(error)) this.breaker.open();
      return { isAnswering: false, isWritable: false };
    }
  }

  private reading(now: number, beat: number): ClockReading {
    const at = performance.now();
    return { now, beat, at, beatSince: this.clock?.beat === beat ? this.clock.beatSince : at };
  }

  /** A new database has no tables yet. */
  private async look(): Promise<RowDataPacket[]> {
    try {
      return await this.side.ask(STATE_AND_HEARTBEAT);
    } catch (error) {
      if (!isMissingTable(error)) throw error;
      return this.side.ask(STATE);
    }
  }
}

/** A number, or a word since MariaDB 12. */
function isOff(state: unknown): boolean {
  return Number(state) === 0 || state === 'OFF';
}
