import type { ThrottlerStorage } from '@nestjs/throttler';

/** The state of a count, as the library asks for it. Times are in seconds. */
export type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** One key of one window, and what it has. */
export interface LimitWindow {
  readonly window: string;
  readonly key: string;
  readonly limit: number;
  /** Milliseconds. */
  readonly within: number;
}

/**
 * The counts of requests, each kept for as long as its window. More than the library asks of a storage: it would count a
 * request in some windows of its route although another one is full.
 */
export abstract class LimitStorage implements ThrottlerStorage {
  /**
   * Counts a request in all windows or, where one of them is full, in none: trying again prolongs no wait.
   *
   * @returns a count for each, blocked where the window was full
   */
  abstract draw(keys: readonly LimitWindow[]): Promise<readonly Count[]>;

  /** Takes the newest request of each window out again. */
  abstract giveBack(keys: readonly LimitWindow[]): Promise<void>;

  /** The state that the next request would meet. Counts nothing. */
  abstract look(keys: readonly LimitWindow[]): Promise<readonly Count[]>;

  /** As the library counts, which asks for one window. */
  async increment(key: string, ttl: number, limit: number, _: number, throttler: string): Promise<Count> {
    const [count] = await this.draw([{ window: throttler, key, limit, within: ttl }]);
    if (!count) throw new Error('A window has no count.');
    return count;
  }
}

/** @param resetMs until one request more is allowed than now */
export function countOf({ limit }: LimitWindow, used: number, resetMs: number, isBlocked: boolean): Count {
  const seconds = Math.ceil(resetMs / 1_000);
  return { totalHits: Math.min(used, limit), timeToExpire: seconds, isBlocked, timeToBlockExpire: 0 };
}
