import type { Budget, Budgets } from './budgets.js';
import { tooManyRequests } from './request-limits.js';
import type { SlidingWindows } from './sliding-windows.js';

/** Counts what no route can count: requests by a key that is known only after something of them was read. */
export class KeyedLimits {
  constructor(
    private readonly budgets: Budgets,
    private readonly windows: SlidingWindows,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  async take(budget: Budget, key: string): Promise<void> {
    for (const { requests: limit, within } of this.budgets[budget].filter(({ requests }) => requests > 0)) {
      const standing = await this.windows.increment(key, within, limit, within, `${budget}-${within}`);
      if (standing.isBlocked) throw tooManyRequests({ limit, ...standing });
    }
  }
}
