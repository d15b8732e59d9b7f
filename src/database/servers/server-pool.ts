import type { ConnectionOptions, Pool, PoolConnection, QueryError } from 'mysql2';
import { isQueryTimeout, noConnection, unreachable, unsent } from '../dialect/database-error.js';
import type { PoolMember, PoolState, Servers } from './servers.js';
import { setUpSession, SILENT_SESSION_SECONDS } from '../dialect/session-settings.js';
import { loadDriver, socketOf } from './side-connection.js';

/** Longer than this no caller waits for a connection. */
const WAIT_MS = 3_000;
/** Longer than this a stop does not wait for a server. */
const END_MS = 2_000;
/** The server may be about to end a session that was idle for longer, which would leave a statement without an answer. */
const STALE_MS = (SILENT_SESSION_SECONDS * 1_000) / 2;
/** Longer than this a connection does not keep its place for a statement that the driver has given up: its way may be cut. */
const HELD_MS = 60_000;

type Acquired = (error: Error | null, connection?: PoolConnection) => void;
type Query = (...call: unknown[]) => unknown;
type Answered = (error: QueryError | null, ...rest: unknown[]) => void;

export interface PoolOptions extends ConnectionOptions {
  readonly connectionLimit: number;
}

/** A connection of the pool. Times are in the milliseconds of `performance.now()`. */
interface Session {
  readonly openedAt: number;
  /** `null`: it is lent. */
  idleSince: number | null;
  /** True if it takes no further statements. */
  isOver: boolean;
}

/** The pool of mysql2, as TypeORM uses it. Callers do not wait long for it, and not at all for a server that does not answer. */
export class ServerPool implements PoolMember {
  private pool: Pool;
  private readonly sessions = new Map<PoolConnection, Session>();
  private readonly waiting = new Set<Acquired>();

  constructor(
    private readonly servers: Servers,
    private readonly options: PoolOptions,
  ) {
    this.pool = this.newPool();
    const { connectionLimit: _size, queueLimit: _queue, multipleStatements: _isWriting, ...base } = options;
    servers.join(this, base);
  }

  get state(): PoolState {
    const active = [...this.sessions.values()].filter(({ idleSince }) => idleSince === null).length;
    return { active, idle: this.sessions.size - active, waiting: this.waiting.size };
  }

  getConnection(acquired: Acquired): void {
    if (this.servers.isOpen) {
      acquired(unreachable());
      return;
    }
    const settle: Acquired = (error, connection) => {
      clearTimeout(timer);
      if (this.waiting.delete(settle)) acquired(error, connection);
      else connection?.release();
    };
    const timer = setTimeout(() => {
      this.servers.watch();
      settle(noConnection());
    }, WAIT_MS);
    this.waiting.add(settle);
    this.ask(settle);
  }

  end(done: () => void): void {
    this.servers.leave(this);
    this.refuse(() => new Error('Pool is closed.'));
    const timer = setTimeout(() => {
      this.cut();
      done();
    }, END_MS);
    this.pool.end(() => {
      clearTimeout(timer);
      done();
    });
  }

  /** The pool of mysql2 would go on connecting for those that wait there: so another one takes its place. */
  abandon(): void {
    const { pool } = this;
    this.pool = this.newPool();
    this.refuse(unreachable);
    pool.end(() => undefined);
    this.cut();
  }

  private newPool(): Pool {
    return loadDriver()
      .createPool(this.options)
      .on('release', (connection) => {
        const session = this.sessions.get(connection);
        if (session) session.idleSince ??= performance.now();
      });
  }

  /** The driver tells those that wait for an answer what has become of their connection. */
  private cut(): void {
    for (const connection of this.sessions.keys()) socketOf(connection).destroy(unreachable());
    this.sessions.clear();
  }

  private refuse(error: () => Error): void {
    for (const settle of this.waiting) settle(error());
  }

  private ask(settle: Acquired): void {
    const askedAt = performance.now();
    this.pool.getConnection((error: Error | null, connection) => {
      const session = this.sessions.get(connection);
      if (error) this.failed(error, settle);
      else if (!session) void this.setUp(connection, askedAt, settle);
      // The caller has given up.
      else if (!this.waiting.has(settle)) connection.release();
      else if (this.isUsable(session)) {
        session.idleSince = null;
        settle(null, connection);
      } else {
        connection.destroy();
        this.ask(settle);
      }
    });
  }

  private isUsable({ isOver, idleSince, openedAt }: Session): boolean {
    const isStale = idleSince !== null && performance.now() - idleSince >= STALE_MS;
    return !isOver && !isStale && this.servers.isUsable(openedAt);
  }

  private async setUp(connection: PoolConnection, openedAt: number, settle: Acquired): Promise<void> {
    this.follow(connection, { openedAt, idleSince: null, isOver: false });
    const { multipleStatements: isWriting = false } = this.options;
    try {
      await setUpSession(connection, { isWriting, packets: this.servers.packets });
    } catch (error) {
      connection.destroy();
      this.failed(error as Error, settle);
      return;
    }
    settle(null, connection);
  }

  private failed(error: Error, settle: Acquired): void {
    this.servers.watch();
    settle(error);
  }

  /** Sees what the server says to statements. What is asked of a session that is over is known not to have been sent. */
  private follow(connection: PoolConnection, session: Session): void {
    this.sessions.set(connection, session);
    // Without a listener the loss of a connection would end the process.
    connection.on('error', () => undefined).once('end', () => (session.isOver = true));
    socketOf(connection).once('close', () => this.sessions.delete(connection));
    const query = connection.query.bind(connection) as Query;
    // TypeORM asks for the promises of a connection with every statement, and mysql2 would make new ones each time.
    const promises = connection.promise();
    Object.assign(connection, {
      promise: () => promises,
      query: (...call: unknown[]) => {
        const answered = call.pop() as Answered;
        if (session.isOver) answered(unsent());
        else {
          query(...call, ((error, ...rest) => {
            if (isQueryTimeout(error)) this.hold(connection, session);
            else if (error?.fatal !== true && this.servers.isLeft(error)) connection.destroy();
            answered(error, ...rest);
          }) satisfies Answered);
        }
      },
    });
  }

  /** Keeps its place until the server is done with it: otherwise a statement that hangs would have ever more of them. */
  private hold(connection: PoolConnection, session: Session): void {
    if (session.isOver) return;
    session.isOver = true;
    this.servers.watch();
    Object.assign(connection, { release: () => undefined });
    // What waits behind the statement is answered, too.
    const end = (): void => {
      socketOf(connection).destroy(unreachable());
    };
    connection.ping(end);
    setTimeout(end, HELD_MS).unref();
  }
}
