import type { ConnectionOptions, PoolConnection } from 'mysql2';
import { isLeaving } from '../dialect/database-error.js';
import { PacketLimit } from '../dialect/packet-limit.js';
import { Breaker } from './breaker.js';

export interface PoolState {
  readonly active: number;
  readonly idle: number;
  readonly waiting: number;
}

/** A pool, for the server that it has connections to. */
export interface PoolMember {
  readonly state: PoolState;
  abandon(): void;
}

const PROBED_EVERY_MS = 1_000;
/** The shortest time between two replacements of all connections while a server goes on refusing. */
const REPLACED_EVERY_MS = 1_000;

/** The server that a database is on, or what stands in front of several: the pools on it, and whether it answers. */
export class Servers {
  readonly packets = new PacketLimit();
  private readonly pools = new Set<PoolMember>();
  private breaker: Breaker | null = null;
  private base: ConnectionOptions | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** The time when the server last refused a write, or said that it is about to go. */
  private refusedAt = -Infinity;
  /** A connection that was opened before is to be replaced. */
  private replacedBefore = -Infinity;

  /** True if the server does not answer, so that whatever needs it is refused at once. */
  get isOpen(): boolean {
    return this.breaker?.isOpen ?? true;
  }

  /** `null`: no pool is open. */
  get name(): string | null {
    return this.breaker && `${this.base?.host ?? 'localhost'}:${this.base?.port ?? 3306}`;
  }

  /** In the order in which they were opened. */
  get poolStates(): readonly PoolState[] {
    return [...this.pools].map(({ state }) => state);
  }

  /** Options with which connections are opened; `null`: there are none yet. */
  get connectionOptions(): ConnectionOptions | null {
    return this.base;
  }

  /** @param base of the first pool: others differ from it in nothing that servers care about */
  connectTo(base: ConnectionOptions): void {
    if (this.breaker) return;
    this.base = base;
    this.breaker = new Breaker(base, () => {
      this.breakOff();
    });
  }

  join(pool: PoolMember): void {
    this.pools.add(pool);
  }

  leave(pool: PoolMember): void {
    this.pools.delete(pool);
    if (this.pools.size > 0) return;
    if (this.timer) clearInterval(this.timer);
    this.breaker?.close();
    this.timer = this.breaker = null;
  }

  /** Has the server probed each second from now on: that of a service from its start, otherwise when something was wrong. */
  watch(): void {
    if (this.pools.size === 0) return;
    this.timer ??= setInterval(() => this.breaker?.probe(), PROBED_EVERY_MS).unref();
  }

  /**
   * Tells whether a connection may go on being used. A demoted server refuses no read: the pool for reading learns of it here.
   */
  isUsable(openedAt: number): boolean {
    if (performance.now() - this.replacedBefore >= REPLACED_EVERY_MS) this.replacedBefore = this.refusedAt;
    return openedAt > this.replacedBefore;
  }

  /** Takes in an answer, and says whether its connection is not to be used any more. */
  isLeft(answer: Error | null): boolean {
    this.breaker?.succeeded();
    if (!isLeaving(answer)) return false;
    this.refusedAt = performance.now();
    return true;
  }

  /** Has the server end a connection whose statement it has not answered in time. */
  end(connection: PoolConnection): void {
    this.watch();
    this.breaker?.end(connection);
  }

  /** Ends everything that waits for an answer: the server gives none, or a stop has no more time for it. */
  breakOff(): void {
    for (const pool of this.pools) pool.abandon();
  }
}
