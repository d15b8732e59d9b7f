import { clientNetworks } from '../http/client-address.js';
import type { Budget, Budgets } from './budgets.js';
import { tooManyRequests } from './request-limits.js';
import type { SlidingWindows, WindowKey } from './sliding-windows.js';
import { windowName } from './throttlers.js';

/** Counts what no route can count: requests by a key that is known only after something of them was read. */
export class KeyedLimits {
  constructor(
    private readonly budgets: Budgets,
    private readonly windows: SlidingWindows,
  ) {}

  /** @throws {DomainError} `too_many_requests` */
  take(budget: Budget, key: string): void {
    this.takeAll(this.keysOf(budget, [{ key, factor: 1 }]));
  }

  /**
   * The same by the address of a client.
   *
   * @throws {DomainError} `too_many_requests`
   */
  takeByAddress(budget: Budget, ip: string | undefined): void {
    this.takeAll(this.keysOf(budget, clientNetworks(ip)));
  }

  /** Counts nothing. */
  isLeft(budget: Budget, ip: string | undefined): boolean {
    return this.keysOf(budget, clientNetworks(ip)).every((key) => !this.windows.stateOf(key).isBlocked);
  }

  /** In all windows or in none. */
  private takeAll(keys: readonly WindowKey[]): void {
    this.requireAll(keys);
    for (const key of keys) this.windows.take(key);
  }

  private requireAll(keys: readonly WindowKey[]): void {
    for (const key of keys) {
      const state = this.windows.stateOf(key);
      if (state.isBlocked) throw tooManyRequests({ limit: key.limit, ...state });
    }
  }

  private keysOf(budget: Budget, keys: readonly { readonly key: string; readonly factor: number }[]): WindowKey[] {
    return this.budgets[budget]
      .filter(({ requests }) => requests > 0)
      .flatMap(({ requests, within }) =>
        keys.map(({ key, factor }) => {
          const limit = requests * factor;
          return { window: windowName(`${budget}-${within}`, factor), key, limit, within };
        }),
      );
  }
}
