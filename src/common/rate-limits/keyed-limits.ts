import { clientNetworks } from '../http/client-address.js';
import type { Budget, Budgets } from './budgets.js';
import type { RateWindows, WindowKey } from './rate-windows.js';
import type { RefusalCount } from './refusal-count.js';
import { tooManyRequests } from './request-limits.js';

import { budgetOf, throttlerName, windowName } from './throttlers.js';

/** Counts what no route can count: requests by a key that is known only after something of them was read. */
export class KeyedLimits {
  constructor(
    private readonly budgets: Budgets,
    private readonly windows: RateWindows,
    private readonly refusals: RefusalCount,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  take(budget: Budget, key: string): Promise<void> {
    return this.takeAll(this.keysOf(budget, [{ key, factor: 1 }]));
  }

  /**
   * The same by the address of a client.
   *
   * @throws {DomainError} `too_many_requests`
   */
  takeByAddress(budget: Budget, ip: string | undefined): Promise<void> {
    return this.takeAll(this.keysOf(budget, clientNetworks(ip)));
  }

  /** Counts nothing. */
  async isLeft(budget: Budget, ip: string | undefined): Promise<boolean> {
    const counts = await this.windows.look(this.keysOf(budget, clientNetworks(ip)));
    return counts.every(({ isBlocked }) => !isBlocked);
  }

  /** In all windows or in none. */
  private async takeAll(keys: readonly WindowKey[]): Promise<void> {
    if (keys.length === 0) return;
    const counts = await this.windows.draw(keys);
    const full = counts.findIndex(({ isBlocked }) => isBlocked);
    const [key, count] = [keys[full], counts[full]];
    if (!key || !count) return;
    this.refusals.add(budgetOf(key.window));
    throw tooManyRequests({ limit: key.limit, ...count });
  }

  private keysOf(budget: Budget, keys: readonly { readonly key: string; readonly factor: number }[]): WindowKey[] {
    return this.budgets[budget]
      .filter(({ requests }) => requests > 0)
      .flatMap(({ requests, within }) =>
        keys.map(({ key, factor }) => {
          const limit = requests * factor;
          return { window: windowName(throttlerName(budget, within), factor), key, limit, within };
        }),
      );
  }
}
