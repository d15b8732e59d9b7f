import type { Quota } from './budgets.js';
import { countOf, LimitStorage, type Count, type LimitWindow } from './limit-storage.js';

interface WindowState {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until one request more is allowed than now. */
  readonly resetMs: number;
}

/** Memory for the addresses of a great attack: some megabytes. Beyond that, the address that was quiet for longest is forgotten. */
const MAX_KEYS = 50_000;
/** Forgotten with each request, so that no timer has to. */
const FORGET_AT_ONCE = 10;

/** Counts requests of the last minute, or of the last hour, for each key: a request leaves as soon as its time is over. */
export class Window {
  /** Times of requests, oldest first; the key that was quiet for longest comes first. */
  private readonly times = new Map<string, number[]>();

  constructor(private readonly quota: Quota) {}

  get size(): number {
    return this.times.size;
  }

  /** The rest of a window, and the time at which there is more. Counts nothing. */
  stateOf(key: string, now: number): WindowState {
    const { requests: limit, within } = this.quota;
    const times = this.current(key, now);
    const [oldest = now] = times;
    return { limit, remaining: Math.max(0, limit - times.length), resetMs: oldest + within - now };
  }

  add(key: string, now: number): void {
    const times = this.current(key, now);
    times.push(now);
    this.times.delete(key);
    this.times.set(key, times);
    this.forget(now);
  }

  giveBack(key: string): void {
    this.times.get(key)?.pop();
  }

  private current(key: string, now: number): number[] {
    const times = this.times.get(key) ?? [];
    const over = times.findIndex((time) => time + this.quota.within > now);
    times.splice(0, over < 0 ? times.length : over);
    return times;
  }

  private forget(now: number): void {
    let left = FORGET_AT_ONCE;
    for (const [key, times] of this.times) {
      const isOver = (times.at(-1) ?? 0) + this.quota.within <= now;
      if (left === 0 || (!isOver && this.times.size <= MAX_KEYS)) return;
      this.times.delete(key);
      left -= 1;
    }
  }
}

/** Counts in the memory of each process. The library's storage has no bound, and goes by a clock that may jump. */
export class MemoryStorage extends LimitStorage {
  private readonly windows = new Map<string, Window>();

  /** @param now whole milliseconds on a clock that never jumps: a sum of fractions may be rounded up to a second more */
  constructor(private readonly now: () => number = () => Math.trunc(performance.now())) {
    super();
  }

  override draw(keys: readonly LimitWindow[]): Promise<readonly Count[]> {
    const before = this.countsOf(keys);
    if (before.some(({ isBlocked }) => isBlocked)) return Promise.resolve(before);
    const now = this.now();
    for (const drawn of keys) this.windowOf(drawn).add(drawn.key, now);
    return Promise.resolve(this.countsOf(keys).map((count) => ({ ...count, isBlocked: false })));
  }

  override look(keys: readonly LimitWindow[]): Promise<readonly Count[]> {
    return Promise.resolve(this.countsOf(keys));
  }

  override giveBack(keys: readonly LimitWindow[]): Promise<void> {
    for (const { key, window } of keys) this.windows.get(window)?.giveBack(key);
    return Promise.resolve();
  }

  private countsOf(keys: readonly LimitWindow[]): readonly Count[] {
    return keys.map((drawn) => {
      const { remaining, resetMs } = this.windowOf(drawn).stateOf(drawn.key, this.now());
      return countOf(drawn, drawn.limit - remaining, resetMs, remaining === 0);
    });
  }

  private windowOf({ window: name, limit, within }: LimitWindow): Window {
    const window = this.windows.get(name) ?? new Window({ requests: limit, within });
    this.windows.set(name, window);
    return window;
  }
}
