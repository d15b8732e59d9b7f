import type { ConnectionOptions } from 'mysql2';
import { isLeaving, isMissingTable } from '../dialect/database-error.js';
import { Breaker } from './breaker.js';
import { openConnection, type Opened } from './connecting.js';
import { END_WHEN_SILENT } from './session-settings.js';
import { variablesOf, type ServerReport } from './server-report.js';
import { SideConnection } from './side-connection.js';

/** Reads a table: a node that has lost its group answers what needs none. */
const PROBE = 'SELECT MAX(id) FROM migrations';

/** The server: its address, its probes and its breaker. */
export class Host {
  readonly breaker: Breaker;
  readonly side: SideConnection;

  /**
   * @param base of all connections
   * @param changed is called when the breaker has opened or closed
   */
  constructor(
    private readonly base: ConnectionOptions,
    changed: () => void,
  ) {
    this.breaker = new Breaker(() => {
      // An old connection may answer where no new one is let in.
      if (this.breaker.isOpen) this.side.renew();
      changed();
    });
    this.side = new SideConnection(() => this.openBeside());
  }

  get name(): string {
    const { host, port } = this.base;
    return `${host ?? 'localhost'}:${port ?? 3306}`;
  }

  options(extra: ConnectionOptions = {}): ConnectionOptions {
    return { ...this.base, ...extra };
  }

  /** @returns whether it has answered */
  async probe(): Promise<boolean> {
    const isAnswering = await this.answers();
    this.breaker.probed(isAnswering);
    return isAnswering;
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

  private async answers(): Promise<boolean> {
    try {
      await this.side.ask(PROBE);
      return true;
    } catch (error) {
      // A new database has no tables yet.
      if (isMissingTable(error)) return true;
      // It lets connections in and says itself that it serves none of them.
      if (isLeaving(error)) this.breaker.open();
      return false;
    }
  }
}
