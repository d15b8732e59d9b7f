import type { ThrottlerStorage } from '@nestjs/throttler';

/** The state of a count, as the library asks for it. Times are in seconds. */
export type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

export interface LimitWindow {
  readonly window: string;
  readonly key: string;
  readonly limit: number;
  /** Milliseconds. */
  readonly within: number;
}

/** Counts of requests, each kept for its window. The library would count a request although another window is full. */
export abstract class LimitStorage implements ThrottlerStorage {
  /** Counts in all windows, or in none if one is full: trying again prolongs no wait. @returns a count for each */
  abstract draw(keys: readonly LimitWindow[]): Promise<readonly Count[]>;

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
