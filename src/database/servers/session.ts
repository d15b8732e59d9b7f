import type { Connection, PoolConnection, QueryError } from 'mysql2';
import { isQueryTimeout } from '../dialect/database-error.js';
import type { PacketLimit } from '../dialect/packet-limit.js';
import { openConnection, type Opened } from './connecting.js';
import type { Host } from './host.js';
import { setUpSession, SILENT_SESSION_SECONDS } from './session-settings.js';

/** A server that has not finished a session's set-up by then does not work. */
const SET_UP_MS = 5_000;
/** A session that is held for longer is ended at the server, as soon as that answers. */
const HELD_MS = 5_000;
/** The server may be about to end a session that was idle for longer, which would leave a statement without an answer. */
const STALE_MS = (SILENT_SESSION_SECONDS * 1_000) / 2;

/** The events of a session, for the pool that has opened it. */
export interface SessionEvents {
  /** It is set up. */
  ready(session: Session): void;
  /** It could not be opened or set up, and ends. */
  failed(session: Session, error: Error): void;
  released(session: Session): void;
  /** A statement was not answered in time: the session keeps its place until the server is done with it. */
  held(session: Session): void;
  /** The server has refused a statement. */
  refused(session: Session, error: QueryError): void;
  /** Its place at the server is free. */
  closed(session: Session): void;
}

type Query = (...call: unknown[]) => unknown;

/** A connection of a pool, from its opening until the server has ended it too. */
export class Session {
  readonly openedAt = performance.now();
  private idleSince = 0;
  state: 'connecting' | 'idle' | 'active' | 'held' | 'ending' = 'connecting';
  private readonly opened: Opened;
  private readonly lateTimer: NodeJS.Timeout;

  constructor(
    readonly host: Host,
    private readonly packets: PacketLimit,
    private readonly isWriting: boolean,
    private readonly events: SessionEvents,
  ) {
    this.opened = openConnection(host.options({ multipleStatements: isWriting && !packets.isOfCluster }));
    this.lateTimer = setTimeout(() => {
      host.breaker.failed();
    }, SET_UP_MS);
    this.follow();
  }

  /** The connection as TypeORM uses it. */
  get connection(): PoolConnection {
    return this.opened.connection as PoolConnection;
  }

  /** Whether its set-up has taken so long that a server that works must have lost it. */
  get isOverdue(): boolean {
    return this.state === 'connecting' && performance.now() - this.openedAt > SET_UP_MS;
  }

  /** Whether it can be used: it was not idle for so long that the server may be about to end it. */
  get isFresh(): boolean {
    return this.state === 'idle' && performance.now() - this.idleSince < STALE_MS;
  }

  rest(): void {
    this.state = 'idle';
    this.idleSince = performance.now();
  }

  /** Ends it, however busy the server is with it. Its place is free when the server has ended it too. */
  destroy(): void {
    this.state = 'ending';
    this.opened.connection.destroy();
  }

  /** Ends it when its statement is answered. */
  end(): void {
    this.state = 'ending';
    this.opened.connection.end(() => undefined);
  }

  /** Forgets it, whatever the server does. */
  cut(): void {
    this.state = 'ending';
    this.opened.socket.destroy();
  }

  private follow(): void {
    const { connection, socket } = this.opened;
    connection.once('connect', () => {
      setUpSession(connection, { isWriting: this.isWriting, packets: this.packets }, (error) => {
        if (error) this.fail(error);
        else this.start();
      });
    });
    connection.on('error', (error: Error) => {
      this.fail(error);
    });
    // Nothing more is sent there. The driver has yet to say so to those that wait for an answer.
    connection.on('end', () => {
      if (this.state !== 'connecting') this.state = 'ending';
    });
    socket.once('close', () => {
      this.fail(lost());
      clearTimeout(this.lateTimer);
      this.events.closed(this);
    });
  }

  private start(): void {
    clearTimeout(this.lateTimer);
    if (this.state !== 'connecting') return;
    this.watch();
    cachePromises(this.opened.connection);
    Object.assign(this.opened.connection, {
      release: () => {
        this.events.released(this);
      },
    });
    this.rest();
    this.events.ready(this);
  }

  private fail(error: Error): void {
    if (this.state === 'ending') return;
    const wasConnecting = this.state === 'connecting';
    this.destroy();
    if (wasConnecting) this.events.failed(this, error);
  }

  /**
   * Sees what the server says to statements. One that was not answered in time keeps its connection busy, and one that has
   * ended takes none: what is asked there fails at once, and is known not to have been sent.
   */
  private watch(): void {
    const { connection } = this.opened;
    const query = connection.query.bind(connection) as Query;
    Object.assign(connection, {
      query: (...call: unknown[]) => {
        const callback = call.pop() as (error: QueryError | null, ...rest: unknown[]) => void;
        if (this.state === 'held' || this.state === 'ending') {
          callback(unsent());
          return undefined;
        }
        return query(...call, (error: QueryError | null, ...rest: unknown[]) => {
          if (error) this.heard(error);
          callback(error, ...rest);
        });
      },
    });
  }

  private heard(error: QueryError): void {
    if (isQueryTimeout(error)) {
      this.hold();
      return;
    }
    if (error.fatal) this.fail(error);
    this.events.refused(this, error);
  }

  /**
   * An answer to the ping behind the statement shows that the server is done with it. What is between may have lost the
   * answer, or the server itself may be gone: then it is the server at the side connection that says so.
   */
  private hold(): void {
    if (this.state === 'ending') return;
    this.state = 'held';
    const { connection, socket } = this.opened;
    const { threadId } = connection;
    const address = socket.remoteAddress;
    connection.ping(() => {
      this.destroy();
    });
    const timer = setInterval(() => {
      this.host.side.end({ threadId, address }, () => {
        this.cut();
      });
    }, HELD_MS).unref();
    socket.once('close', () => {
      clearInterval(timer);
    });
    this.host.side.kill(threadId);
    this.events.held(this);
  }
}

function lost(): Error {
  return Object.assign(new Error('The server has closed the connection.'), { code: 'PROTOCOL_CONNECTION_LOST' });
}

function unsent(): QueryError {
  const message = 'The connection takes no further statements.';
  return Object.assign(new Error(message), { code: 'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR', fatal: true });
}

/** TypeORM asks for the promises of a connection with every statement, and mysql2 would make new ones each time. */
function cachePromises(connection: Connection): void {
  const promises = connection.promise();
  Object.assign(connection, { promise: () => promises });
}
