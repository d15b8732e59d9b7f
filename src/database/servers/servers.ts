import type { ConnectionOptions } from 'mysql2';
import type { ServerAddress } from '../../config/values/database-servers.js';
import { isLeaving, isLostServer } from '../database-error.js';
import { PacketLimit } from '../statements/packet-limit.js';
import { Demotions } from './demotions.js';
import { Host } from './host.js';
import type { PoolMember, PoolState } from './pool-state.js';
import type { ServerReport } from './server-report.js';
import type { Session } from './session.js';

const PROBED_EVERY_MS = 1_000;
/** A server in front of the one in use takes its place again when it was fit for so long. */
const BACK_AFTER_MS = 60_000;

/** How a server does, for those who look after it. */
export interface HostState {
  readonly name: string;
  /** Whether units of work go there. */
  readonly isCurrent: boolean;
  /** Whether requests are refused since it does not answer. */
  readonly isOpen: boolean;
}

/**
 * The servers that a database is on, in the order in which they are used: the first that is fit is the one that everything
 * goes to. All instances have the same order, so that there is one server that is written to.
 */
export class Servers {
  readonly packets = new PacketLimit();
  private readonly demotions = new Demotions();
  private readonly pools = new Set<PoolMember>();
  private hosts: readonly Host[] = [];
  private current: Host | null = null;
  private base: ConnectionOptions | null = null;
  private election: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isSuspected = false;
  private isWatched = false;

  /**
   * @param others servers behind the one that the pools are opened with
   * @param probed is called after each probe of a watch
   */
  constructor(
    private readonly others: readonly ServerAddress[] = [],
    private readonly probed: () => void = () => undefined,
  ) {}

  /** The server in use; `null`: it is being looked for. */
  get host(): Host | null {
    return this.current;
  }

  /** Whether no server answers, so that whatever needs one is refused at once. */
  get isOpen(): boolean {
    return this.current?.breaker.isOpen ?? this.hosts.every(({ breaker }) => breaker.isOpen);
  }

  get hostStates(): readonly HostState[] {
    return this.hosts.map((host) => ({
      name: host.name,
      isCurrent: host === this.current,
      isOpen: host.breaker.isOpen,
    }));
  }

  /** Asks all of them how they do. */
  report(): Promise<readonly ServerReport[]> {
    return Promise.all(
      this.hosts.map(async (host) => {
        const variables = await host.report();
        return { name: host.name, isCurrent: host === this.current, variables };
      }),
    );
  }

  /** In the order in which they were opened. */
  get poolStates(): readonly PoolState[] {
    return [...this.pools].map(({ state }) => state);
  }

  /** How their connections are opened; `null`: there are none yet. */
  get connectionOptions(): ConnectionOptions | null {
    return this.base;
  }

  /** @param base of the first pool: others differ from it in nothing that servers care about */
  connectTo(base: ConnectionOptions): void {
    if (this.hosts.length > 0) return;
    this.base = base;
    const changed = (host: Host): void => {
      this.changed(host);
    };
    this.hosts = [null, ...this.others].map((address) => new Host(base, address, changed));
    if (this.others.length === 0) [this.current = null] = this.hosts;
    else this.elect();
  }

  join(pool: PoolMember): void {
    this.pools.add(pool);
  }

  leave(pool: PoolMember): void {
    this.pools.delete(pool);
    if (this.pools.size > 0) return;
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    for (const { side } of this.hosts) side.close();
    this.hosts = [];
    this.current = null;
  }

  /** Has the servers probed each second, and not only while something is wrong. */
  watch(): void {
    this.isWatched = true;
    this.probeOn();
  }

  /** Has the server probed, since something was not answered in time. */
  suspect(): void {
    this.isSuspected = true;
    this.probeOn();
  }

  isUsable({ host, openedAt }: Session): boolean {
    return host === this.current && this.demotions.isUsable(openedAt);
  }

  /** Takes in what a server has refused a statement with, and says whether its connection is not to be used any more. */
  heard(error: unknown): boolean {
    if (isLeaving(error)) {
      this.demotions.note();
      this.moveOn();
      return true;
    }
    this.isMoving(error);
    return false;
  }

  /** Whether there is another server to go to after such a failure. It is looked for. */
  isMoving(error: unknown): boolean {
    if (this.others.length === 0 || !isLostServer(error)) return false;
    this.moveOn();
    return true;
  }

  /** Whether a unit of work that failed so can be run on another server. */
  mayMove(error: unknown): boolean {
    return this.others.length > 0 && (isLeaving(error) || isLostServer(error));
  }

  /** Ends everything that waits for an answer: a stop has no more time for it. */
  breakOff(): void {
    for (const host of this.hosts) this.abandon(host);
  }

  private moveOn(): void {
    if (this.others.length > 0) this.elect();
  }

  private elect(): void {
    this.election ??= this.chooseFit().finally(() => {
      this.election = null;
    });
  }

  /** The first server in order that reads and takes writes. Without one the present one stays, and is asked again. */
  private async chooseFit(): Promise<void> {
    const findings = await Promise.all(this.hosts.map((host) => host.probe()));
    const fit = findings.findIndex(({ isAnswering, isWritable }) => isAnswering && isWritable);
    this.use(this.hosts[fit] ?? this.current ?? this.hosts[0] ?? null);
    this.probeOn();
  }

  private use(host: Host | null): void {
    const former = this.current;
    this.current = host;
    if (former !== null && former !== host && !former.isAnswering) this.abandon(former);
    for (const pool of this.pools) pool.hostChanged();
  }

  private abandon(host: Host): void {
    for (const pool of this.pools) pool.abandon(host);
  }

  private changed(host: Host): void {
    this.probeOn();
    if (host === this.current && host.breaker.isOpen) this.moveOn();
    for (const pool of this.pools) pool.hostChanged();
  }

  private probeOn(): void {
    if (this.pools.size === 0) return;
    this.timer ??= setInterval(() => {
      void this.probe();
    }, PROBED_EVERY_MS).unref();
  }

  private async probe(): Promise<void> {
    if (this.election !== null) return;
    const findings = await Promise.all(this.hosts.map((host) => host.probe()));
    const present = findings[this.hosts.findIndex((host) => host === this.current)];
    if (present?.isAnswering === true) this.isSuspected = false;
    if (present?.isAnswering === true && present.isWritable) this.returnToFirst();
    else this.moveOn();
    this.rest();
    this.probed();
  }

  /** One server that answers need not be asked for ever. */
  private rest(): void {
    if (this.isWatched || this.isSuspected || this.others.length > 0 || this.isOpen || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private returnToFirst(): void {
    const since = performance.now() - BACK_AFTER_MS;
    const first = this.hosts.find(
      (host) => host === this.current || (host.fitSince !== null && host.fitSince <= since),
    );
    if (first && first !== this.current) this.use(first);
  }
}
