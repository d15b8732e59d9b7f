import type { ConnectionOptions } from 'mysql2';
import { isLeaving, isMissingTable } from '../dialect/database-error.js';
import { PacketLimit } from '../dialect/packet-limit.js';
import { openSideConnection, socketOf, type SideConnection } from './side-connection.js';

export interface PoolState {
  readonly active: number;
  readonly idle: number;
  /** Callers, not connections. */
  readonly waiting: number;
}

/** A pool, for the server that it has connections to. */
export interface PoolMember {
  readonly state: PoolState;
  /** Aborts all statements, and everything that waits for a connection. */
  abandon(): void;
}

const PROBED_EVERY_MS = 1_000;
/** Reads a table: a node that has lost its group answers what needs none. */
const PROBE = 'SELECT MAX(id) FROM migrations';
/** So many probes in a row without an answer show that a server hangs or is gone. */
const MAX_FAILURES = 5;
/** An answer is awaited so long on one connection, which may lead to a server that is gone. */
const FIRST_PATIENCE_MS = 20_000;
/** A server that hangs keeps the connections that it was left with, so from then on they are seldom replaced. */
const LATER_PATIENCE_MS = 160_000;
/** The shortest time between two replacements of all connections while a server goes on refusing. */
const REPLACED_EVERY_MS = 1_000;

/** The server of a database, or what stands in front of several: its pools, and whether it answers. */
export class Servers {
  readonly packets = new PacketLimit();
  private readonly pools = new Set<PoolMember>();
  private base: ConnectionOptions | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** The time when the server last refused a write, or said that it is about to go. */
  private refusedAt = -Infinity;
  /** A connection that was opened before is to be replaced. */
  private replacedBefore = -Infinity;
  private isDown = false;
  private failures = 0;
  private opened: SideConnection | null = null;
  /** In the milliseconds of `performance.now()`; `null`: nothing is asked. */
  private askedAt: number | null = null;
  private patienceMs = FIRST_PATIENCE_MS;

  /** True if the server does not answer, so that requests are refused at once. */
  get isOpen(): boolean {
    return this.isDown || this.pools.size === 0;
  }

  /** `null`: no pool is open. */
  get name(): string | null {
    return this.base && `${this.base.host ?? 'localhost'}:${this.base.port ?? 3306}`;
  }

  /** Name of the database; `null`: no pool is open. */
  get database(): string | null {
    return this.base?.database ?? null;
  }

  /** In the order in which they were opened. */
  get poolStates(): readonly PoolState[] {
    return [...this.pools].map(({ state }) => state);
  }

  /** @param base of the first pool counts: others differ from it in nothing that servers care about */
  join(pool: PoolMember, base: ConnectionOptions): void {
    this.pools.add(pool);
    this.base ??= base;
  }

  leave(pool: PoolMember): void {
    this.pools.delete(pool);
    if (this.pools.size > 0) return;
    if (this.timer) clearInterval(this.timer);
    this.endSide();
    this.timer = this.base = null;
    this.isDown = false;
    this.failures = 0;
  }

  /** Has the server probed each second from now on: that of a service from its start, otherwise when something was wrong. */
  watch(): void {
    if (this.pools.size === 0) return;
    this.timer ??= setInterval(() => {
      this.probe();
    }, PROBED_EVERY_MS).unref();
  }

  /** The connection beside the pools, kept alive by the probes; `null`: the server does not answer. */
  side(): SideConnection | null {
    if (this.isOpen) return null;
    this.watch();
    return this.sideConnection();
  }

  /** Ends the connection beside the pools, and with it the locks that it holds. */
  endSide(): void {
    const { opened } = this;
    this.opened = this.askedAt = null;
    if (opened) socketOf(opened.connection).destroy();
  }

  /**
   * Tells whether a connection may go on being used. A demoted server refuses no read: the pool for reading learns of it here.
   */
  isUsable(openedAt: number): boolean {
    if (performance.now() - this.replacedBefore >= REPLACED_EVERY_MS) this.replacedBefore = this.refusedAt;
    return openedAt > this.replacedBefore;
  }

  /**
   * Takes in an answer, and says whether its connection is not to be used any more. It closes no breaker: an old connection
   * may answer when no new one is let in.
   */
  isLeft(answer: Error | null): boolean {
    this.failures = 0;
    if (!isLeaving(answer)) return false;
    this.refusedAt = performance.now();
    return true;
  }

  /** Ends everything that waits for an answer: the server gives none, or a stop has no more time for it. */
  breakOff(): void {
    for (const pool of this.pools) pool.abandon();
  }

  /** Asks the server, or counts that it has not answered yet. */
  private probe(): void {
    if (this.askedAt !== null) {
      this.failed();
      if (performance.now() - this.askedAt < this.patienceMs) return;
      this.patienceMs = LATER_PATIENCE_MS;
      this.endSide();
      return;
    }
    const side = this.sideConnection();
    this.askedAt = performance.now();
    side?.connection.query(PROBE, (error) => {
      if (side !== this.opened) return;
      // A new database has no tables yet.
      if (error === null || isMissingTable(error)) this.answered();
      else this.refused(error);
    });
  }

  private answered(): void {
    this.askedAt = null;
    this.patienceMs = FIRST_PATIENCE_MS;
    this.failures = 0;
    this.isDown = false;
  }

  private refused(error: Error): void {
    // Its address may lead to another server by now.
    this.endSide();
    // It lets connections in and says itself that it serves none of them.
    if (isLeaving(error)) this.failures = MAX_FAILURES;
    this.failed();
  }

  private failed(): void {
    this.failures += 1;
    if (this.isDown || this.failures < MAX_FAILURES) return;
    this.isDown = true;
    this.breakOff();
  }

  private sideConnection(): SideConnection | null {
    // It may lead to a server that was demoted: its locks are no other instance's then, and its answers say nothing.
    if (this.opened && !this.isUsable(this.opened.openedAt)) this.endSide();
    if (this.opened || !this.base) return this.opened;
    const side = openSideConnection(this.base);
    side.lost.addEventListener('abort', () => {
      if (this.opened === side) this.endSide();
    });
    return (this.opened = side);
  }
}
