import type { ThrottlerStorage } from '@nestjs/throttler';
import { Window } from './window.js';

/** What the library asks to know of a count. */
type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Where throttlers count: in memory, each process of the service for itself. The storage of the library remembers as
 * many clients as come, and goes by a clock that may jump.
 */
export class SlidingWindows implements ThrottlerStorage {
  private readonly windows = new Map<string, Window>();

  /** @param now milliseconds on a clock that never jumps */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Counts a request unless it is refused: trying again makes nobody wait for longer. Times are in seconds. */
  increment(key: string, ttl: number, limit: number, _blockDuration: number, throttler: string): Promise<Count> {
    const window = this.windows.get(throttler) ?? new Window({ requests: limit, within: ttl });
    this.windows.set(throttler, window);
    const now = this.now();
    const isBlocked = window.standing(key, now).remaining === 0;
    if (!isBlocked) window.add(key, now);
    const { remaining, resetMs } = window.standing(key, now);
    const seconds = Math.ceil(resetMs / 1_000);
    return Promise.resolve({
      totalHits: limit - remaining,
      timeToExpire: seconds,
      isBlocked,
      timeToBlockExpire: isBlocked ? seconds : 0,
    });
  }

  /** Takes a request out again that was refused elsewhere. */
  giveBack(key: string, throttler: string): void {
    this.windows.get(throttler)?.giveBack(key);
  }
}
