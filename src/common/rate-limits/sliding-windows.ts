import type { ThrottlerStorage } from '@nestjs/throttler';
import { Window } from './window.js';

/** What the library asks to know of a count. */
type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** One key of one window, and what it has. */
export interface WindowKey {
  readonly window: string;
  readonly key: string;
  readonly limit: number;
  /** Milliseconds. */
  readonly within: number;
}

/**
 * Where throttlers count: in memory, each process of the service for itself. The storage of the library remembers as
 * many clients as come, and goes by a clock that may jump.
 */
export class SlidingWindows implements ThrottlerStorage {
  private readonly windows = new Map<string, Window>();

  /** @param now milliseconds on a clock that never jumps */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Counts a request unless it is refused: trying again prolongs no wait. Times are in seconds. */
  increment(key: string, ttl: number, limit: number, _blockDuration: number, throttler: string): Promise<Count> {
    return Promise.resolve(this.take({ window: throttler, key, limit, within: ttl }));
  }

  /** {@link increment}, at once. */
  take(drawn: WindowKey): Count {
    const window = this.windowOf(drawn);
    const now = this.now();
    const isBlocked = window.stateOf(drawn.key, now).remaining === 0;
    if (!isBlocked) window.add(drawn.key, now);
    return { ...this.stateOf(drawn), isBlocked };
  }

  /** What the next request would meet. Counts nothing. */
  stateOf(drawn: WindowKey): Count {
    const { remaining, resetMs } = this.windowOf(drawn).stateOf(drawn.key, this.now());
    const seconds = Math.ceil(resetMs / 1_000);
    const isBlocked = remaining === 0;
    return { totalHits: drawn.limit - remaining, timeToExpire: seconds, isBlocked, timeToBlockExpire: 0 };
  }

  /** Takes a request out again that was refused elsewhere. */
  giveBack(key: string, throttler: string): void {
    this.windows.get(throttler)?.giveBack(key);
  }

  private windowOf({ window: name, limit, within }: WindowKey): Window {
    const window = this.windows.get(name) ?? new Window({ requests: limit, within });
    this.windows.set(name, window);
    return window;
  }
}
