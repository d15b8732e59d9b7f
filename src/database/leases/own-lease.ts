import type { HeldLease } from './lease-table.js';

/** Sooner than another process may take it: what is done outside of the database ends before the other one begins. */
const STOP_AFTER_MS = 10_000;

/** A lease that this process has taken, and whether it still surely holds it. */
export class OwnLease {
  private sureUntil = -Infinity;
  private doubt = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(readonly held: HeldLease) {}

  get isSure(): boolean {
    return performance.now() < this.sureUntil;
  }

  /** Aborted as soon as the lease may be another process's. */
  get doubted(): AbortSignal {
    return this.doubt.signal;
  }

  /** @param since when it was asked for that what has now been answered, by a clock that never jumps */
  confirm(since: number): void {
    clearTimeout(this.timer);
    if (this.doubt.signal.aborted) this.doubt = new AbortController();
    this.sureUntil = since + STOP_AFTER_MS;
    this.timer = setTimeout(() => {
      this.drop();
    }, this.sureUntil - performance.now()).unref();
  }

  /** From now on it is another process's. */
  drop(): void {
    clearTimeout(this.timer);
    this.sureUntil = -Infinity;
    this.doubt.abort();
  }
}
