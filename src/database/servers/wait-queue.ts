import type { PoolConnection } from 'mysql2';

export type Acquired = (error: Error | null, connection?: PoolConnection) => void;

interface Caller {
  readonly acquired: Acquired;
  /** In the milliseconds of `performance.now()`. */
  readonly until: number;
}

/** Callers that wait for a connection, the first of them longest, and all for the same time at most. */
export class WaitQueue {
  private readonly callers: Caller[] = [];
  private timer: NodeJS.Timeout | null = null;

  /**
   * @param waitMs longer than that none waits
   * @param late is called when one has waited so long
   */
  constructor(
    private readonly waitMs: number,
    private readonly late: () => void,
  ) {}

  get length(): number {
    return this.callers.length;
  }

  join(acquired: Acquired): void {
    this.callers.push({ acquired, until: performance.now() + this.waitMs });
    this.timer ??= setTimeout(() => {
      this.sendAway();
    }, this.waitMs);
  }

  /** Takes the first one out. */
  next(): Acquired | undefined {
    const caller = this.callers.shift();
    if (this.callers.length === 0) this.stop();
    return caller?.acquired;
  }

  refuseAll(error: () => Error): void {
    for (const { acquired } of this.callers.splice(0)) acquired(error());
    this.stop();
  }

  private sendAway(): void {
    this.timer = null;
    const now = performance.now();
    let isLate = false;
    for (let first = this.callers[0]; first !== undefined && first.until <= now; first = this.callers[0]) {
      this.callers.shift();
      isLate = true;
      first.acquired(timeout());
    }
    this.waitOn(now);
    if (isLate) this.late();
  }

  private waitOn(now: number): void {
    const [first] = this.callers;
    if (first === undefined || this.timer !== null) return;
    this.timer = setTimeout(
      () => {
        this.sendAway();
      },
      Math.max(1, first.until - now),
    );
  }

  private stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}

function timeout(): Error {
  return Object.assign(new Error('No connection of the pool became free in time.'), { code: 'POOL_TIMEOUT' });
}
