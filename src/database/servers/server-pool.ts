import type { QueryError } from 'mysql2';
import { unreachable } from '../dialect/database-error.js';
import type { PoolMember, PoolState, Servers } from './servers.js';
import { Session, type SessionEvents } from './session.js';
import { WaitQueue, type Acquired } from './wait-queue.js';

/** Longer than this a stop does not wait for a server. */
const END_MS = 2_000;

export interface PoolOptions {
  /** Connections at most. */
  readonly size: number;
  /** Callers that may wait; more are refused. */
  readonly queue: number;
  /** How long a caller waits for a connection at most. */
  readonly waitMs: number;
  /** Units of work go through it. Only they send several statements in one packet. */
  readonly isWriting: boolean;
}

/**
 * Connections to the server. A place is free again when the server is done with its connection, and
 * not when we are: so a server that hangs never has more of them than a pool has places.
 */
export class ServerPool implements SessionEvents, PoolMember {
  private readonly sessions = new Set<Session>();
  private idle: Session[] = [];
  private readonly queue: WaitQueue;
  private growTimer: NodeJS.Timeout | null = null;
  private ended: (() => void) | null = null;

  constructor(
    private readonly servers: Servers,
    private readonly pool: PoolOptions,
  ) {
    this.queue = new WaitQueue(pool.waitMs, () => {
      servers.suspect();
    });
    servers.join(this);
  }

  get state(): PoolState {
    const counts = { active: 0, idle: 0, held: 0, connecting: 0, waiting: this.queue.length };
    for (const { state } of this.sessions) if (state !== 'ending') counts[state] += 1;
    return counts;
  }

  getConnection(acquired: Acquired): void {
    if (this.ended) {
      acquired(new Error('Pool is closed.'));
      return;
    }
    if (this.servers.isOpen) {
      acquired(unreachable());
      return;
    }
    const session = this.takeIdle();
    if (session) this.give(session, acquired);
    else if (this.queue.length >= this.pool.queue) acquired(new Error('Queue limit reached.'));
    else {
      this.queue.join(acquired);
      this.grow();
    }
  }

  end(done: () => void): void {
    this.queue.refuseAll(() => new Error('Pool is closed.'));
    if (this.growTimer) clearTimeout(this.growTimer);
    const isServerGone = this.servers.isOpen;
    this.servers.leave(this);
    const timer = setTimeout(() => {
      for (const session of this.sessions) session.cut();
    }, END_MS);
    this.ended = () => {
      if (this.sessions.size > 0) return;
      clearTimeout(timer);
      this.ended = () => undefined;
      done();
    };
    for (const session of this.sessions) {
      if (isServerGone) session.cut();
      else if (session.state === 'active' || session.state === 'idle') session.end();
      else session.destroy();
    }
    this.ended();
  }

  /** Those that wait for a server that does not answer are refused; those that wait for one that does are served. */
  hostChanged(): void {
    if (this.servers.isOpen) {
      this.queue.refuseAll(unreachable);
      return;
    }
    for (const session of this.sessions) {
      if (session.isOverdue) session.cut();
      else if (session.state === 'idle' && !this.servers.isUsable(session)) session.destroy();
    }
    this.grow();
  }

  abandon(): void {
    for (const session of this.sessions) session.cut();
  }

  ready(session: Session): void {
    session.host.breaker.succeeded();
    this.hand(session);
  }

  failed(session: Session, error: Error): void {
    session.host.breaker.failed();
    this.queue.next()?.(error);
  }

  released(session: Session): void {
    if (session.state !== 'active') return;
    session.host.breaker.succeeded();
    this.hand(session);
  }

  held(session: Session): void {
    this.servers.suspect();
    if (this.state.held * 2 >= this.pool.size) session.host.breaker.open();
  }

  refused(session: Session, error: QueryError): void {
    if (this.servers.heard(error)) session.destroy();
  }

  closed(session: Session): void {
    this.sessions.delete(session);
    this.idle = this.idle.filter((one) => one !== session);
    if (this.ended) this.ended();
    else this.grow();
  }

  private hand(session: Session): void {
    session.rest();
    if (!this.servers.isUsable(session)) {
      session.destroy();
      return;
    }
    const acquired = this.queue.next();
    if (acquired) this.give(session, acquired);
    else this.idle.push(session);
  }

  private give(session: Session, acquired: Acquired): void {
    session.state = 'active';
    acquired(null, session.connection);
  }

  private takeIdle(): Session | null {
    for (let session = this.idle.pop(); session; session = this.idle.pop()) {
      if (session.state !== 'idle') continue;
      if (session.isFresh && this.servers.isUsable(session)) return session;
      session.destroy();
    }
    return null;
  }

  /** Opens connections for those that wait, as far as there are places and the server is not to be spared. */
  private grow(): void {
    const { host } = this.servers;
    if (host === null || host.breaker.isOpen || this.ended || this.growTimer) return;
    let wanted = this.queue.length - this.state.connecting;
    for (let free = this.pool.size - this.sessions.size; free > 0 && wanted > 0; free -= 1, wanted -= 1) {
      const pause = host.breaker.admit();
      if (pause > 0) {
        this.growIn(pause);
        return;
      }
      this.sessions.add(new Session(host, this.servers.packets, this.pool.isWriting, this));
    }
  }

  private growIn(ms: number): void {
    this.growTimer = setTimeout(() => {
      this.growTimer = null;
      this.grow();
    }, ms);
  }
}
