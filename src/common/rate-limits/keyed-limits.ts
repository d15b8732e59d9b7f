import { clientNetworks, type Loan } from '../http/request-context.js';
import type { Budget, Budgets } from './budgets.js';
import type { Count, RateWindows, WindowKey } from './rate-windows.js';
import type { RefusalCount } from './refusal-count.js';
import { budgetOf, throttlerName, tooManyRequests, windowName } from './request-limits.js';

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

  /**
   * Draws from `auth` by the address of a client, before it is known whether its request shows a good credential. Where
   * nothing is left there, `tokenSearches` says how many are looked at all the same: strangers shut no user out.
   *
   * @throws {DomainError} `too_many_requests`
   */
  async lend(ip: string | undefined): Promise<Loan> {
    const keys = this.keysOf('auth', clientNetworks(ip));
    const isDrawn = (await this.fullOf(keys)) === null;
    if (!isDrawn) await this.takeByAddress('tokenSearches', ip);
    let isGood = false;
    return {
      giveBack: async () => {
        isGood = true;
        if (isDrawn) await this.windows.giveBack(keys);
      },
      settle: async () => {
        if (!isGood && !isDrawn) await this.takeAll(keys);
      },
    };
  }

  private async takeAll(keys: readonly WindowKey[]): Promise<void> {
    const full = await this.fullOf(keys);
    if (!full) return;
    this.refusals.add(budgetOf(full.window));
    throw tooManyRequests(full);
  }

  /** Draws from all windows or, where one of them is full, from none. @returns the full one */
  private async fullOf(keys: readonly WindowKey[]): Promise<(WindowKey & Count) | null> {
    if (keys.length === 0) return null;
    const counts = await this.windows.draw(keys);
    const full = counts.findIndex(({ isBlocked }) => isBlocked);
    const [key, count] = [keys[full], counts[full]];
    return key && count ? { ...key, ...count } : null;
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
