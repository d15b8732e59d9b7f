import type { ConnectionOptions } from 'mysql2';
import { isLeaving } from '../dialect/database-error.js';
import { PacketLimit } from '../dialect/packet-limit.js';
import { Host } from './host.js';
import type { ServerReport } from './server-report.js';
import type { Session } from './session.js';

/** Names of the pools of a service, in the order in which they are opened. */
export const POOLS = ['write', 'read'] as const;

/** The activity of the connections of a pool. */
export interface PoolState {
  readonly active: number;
  readonly idle: number;
  /** Busy with a statement that was not answered in time. */
  readonly held: number;
  readonly connecting: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** A pool, for the servers that it has connections to. */
export interface PoolMember {
  readonly state: PoolState;
  /** The breaker of the server has opened or closed. */
  hostChanged(): void;
  /** Aborts all statements. */
  abandon(): void;
}

/** How often at most all connections are replaced while a server goes on refusing. */
const REPLACED_EVERY_MS = 1_000;

/**
 * Records when the server refused writes as read-only, or announced its shutdown. The pool for reading hears it from
 * the one for writing, since a demoted server refuses no read: it would be asked for ever, and answer with what was
 * true at the failover.
 */
class Demotions {
  private last = -Infinity;
  /** The refusal before which a connection must have been opened to be replaced. */
  private replacedBefore = -Infinity;

  note(): void {
    this.last = performance.now();
  }

  /** Whether a connection may go on being used. A refusal soon after another one counts too, but later. */
  isUsable(openedAt: number): boolean {
    if (performance.now() - this.replacedBefore >= REPLACED_EVERY_MS) this.replacedBefore = this.last;
    return openedAt > this.replacedBefore;
  }
}

const PROBED_EVERY_MS = 1_000;

/** The server that a database is on, or what stands in front of several: the pools on it, and whether it answers. */
export class Servers {
  readonly packets = new PacketLimit();
  private readonly demotions = new Demotions();
  private readonly pools = new Set<PoolMember>();
  private current: Host | null = null;
  private base: ConnectionOptions | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isSuspected = false;
  private isWatched = false;

  /** `null`: no pool is open. */
  get host(): Host | null {
    return this.current;
  }

  /** Whether the server does not answer, so that whatever needs it is refused at once. */
  get isOpen(): boolean {
    return this.current?.breaker.isOpen ?? true;
  }

  /** Its variables and figures, for `doctor`. */
  async report(): Promise<ServerReport | null> {
    const { current } = this;
    return current && { name: current.name, variables: await current.report() };
  }

  /** In the order in which they were opened. */
  get poolStates(): readonly PoolState[] {
    return [...this.pools].map(({ state }) => state);
  }

  /** How connections are opened; `null`: there are none yet. */
  get connectionOptions(): ConnectionOptions | null {
    return this.base;
  }

  /** @param base of the first pool: others differ from it in nothing that servers care about */
  connectTo(base: ConnectionOptions): void {
    if (this.current) return;
    this.base = base;
    this.current = new Host(base, () => {
      this.changed();
    });
  }

  join(pool: PoolMember): void {
    this.pools.add(pool);
  }

  leave(pool: PoolMember): void {
    this.pools.delete(pool);
    if (this.pools.size > 0) return;
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.current?.side.close();
    this.current = null;
  }

  /** Has the server probed each second, and not only while something is wrong. */
  watch(): void {
    this.isWatched = true;
    this.probeOn();
  }

  /** Has the server probed, since something was not answered in time. */
  suspect(): void {
    this.isSuspected = true;
    this.probeOn();
  }

  isUsable({ openedAt }: Session): boolean {
    return this.demotions.isUsable(openedAt);
  }

  /** Takes in what the server has refused a statement with, and says whether its connection is not to be used any more. */
  heard(error: unknown): boolean {
    if (!isLeaving(error)) return false;
    this.demotions.note();
    return true;
  }

  /** Ends everything that waits for an answer: a stop has no more time for it. */
  breakOff(): void {
    for (const pool of this.pools) pool.abandon();
  }

  private changed(): void {
    this.probeOn();
    for (const pool of this.pools) pool.hostChanged();
  }

  private probeOn(): void {
    if (this.pools.size === 0) return;
    this.timer ??= setInterval(() => {
      void this.probe();
    }, PROBED_EVERY_MS).unref();
  }

  private async probe(): Promise<void> {
    if (await this.current?.probe()) this.isSuspected = false;
    this.rest();
  }

  /** A server that answers need not be asked for ever. */
  private rest(): void {
    if (this.isWatched || this.isSuspected || this.isOpen || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
