import { Counter, type Registry } from 'prom-client';
import { DomainError } from '../errors/domain-error.js';
import { clientNetworks, type ClientNetwork, type Loan } from '../http/request-context.js';
import type { Budget, Budgets } from './budgets.js';
import type { Count, LimitStorage, LimitWindow } from './limit-storage.js';

export type Draw<Asked extends LimitWindow = LimitWindow> = Asked & Count;

/** Draws from windows, and refuses what one has no room for. Services use it if the key is in the request's content. */
export class KeyedLimits {
  private readonly refusals: Counter<'budget'>;

  constructor(
    private readonly budgets: Budgets,
    private readonly storage: LimitStorage,
    registry: Registry,
  ) {
    this.refusals = new Counter({
      name: 'cms_rate_limited_total',
      help: 'Requests that were refused since a budget was spent.',
      labelNames: ['budget'],
      registers: [registry],
    });
  }

  /** @throws {DomainError} `too_many_requests` */
  async take(budget: Budget, key: string): Promise<void> {
    await this.draw(this.windowsOf(budget, [{ key, factor: 1 }]));
  }

  /** {@link take} by the address of a client. @throws {DomainError} `too_many_requests` */
  async takeByAddress(budget: Budget, ip: string | undefined): Promise<void> {
    await this.draw(this.windowsOf(budget, clientNetworks(ip)));
  }

  /** Counts nothing. */
  async isLeft(budget: Budget, ip: string | undefined): Promise<boolean> {
    const counts = await this.storage.look(this.windowsOf(budget, clientNetworks(ip)));
    return counts.every(({ isBlocked }) => !isBlocked);
  }

  /**
   * Draws from `auth` by address, before the credential is known. If nothing is left, `tokenSearches` limits how many are
   * looked up all the same: strangers shut no user out. @throws {DomainError} `too_many_requests`
   */
  async lend(ip: string | undefined): Promise<Loan> {
    const windows = this.windowsOf('auth', clientNetworks(ip));
    const isDrawn = (await this.drawn(windows)).every(({ isBlocked }) => !isBlocked);
    if (!isDrawn) await this.takeByAddress('tokenSearches', ip);
    let isGood = false;
    return {
      giveBack: async () => {
        isGood = true;
        if (isDrawn) await this.storage.giveBack(windows);
      },
      settle: async () => {
        if (!isGood && !isDrawn) await this.draw(windows);
      },
    };
  }

  /** Counts a request in all windows, or in none if one is full. @throws {DomainError} `too_many_requests` */
  async draw<Asked extends LimitWindow>(windows: readonly Asked[]): Promise<readonly Draw<Asked>[]> {
    const draws = await this.drawn(windows);
    const full = tightest(draws.filter(({ isBlocked }) => isBlocked));
    if (!full) return draws;
    this.refusals.inc({ budget: budgetOf(full.window) });
    throw tooManyRequests(full);
  }

  private async drawn<Asked extends LimitWindow>(windows: readonly Asked[]): Promise<readonly Draw<Asked>[]> {
    if (windows.length === 0) return [];
    const counts = await this.storage.draw(windows);
    return windows.flatMap((window, at) => {
      const count = counts[at];
      return count ? [{ ...window, ...count }] : [];
    });
  }

  private windowsOf(budget: Budget, networks: readonly ClientNetwork[]): LimitWindow[] {
    return this.budgets[budget].flatMap(({ requests: limit, within }, at) =>
      limit === 0 ? [] : forNetworks({ window: windowName(budget, within, at), limit, within }, networks),
    );
  }
}

/** The name of a limit of a budget, and of its throttler: `send`, and for the second limit `send-3600000`. */
export function windowName(budget: Budget, within: number, at: number): string {
  return at === 0 ? budget : `${budget}-${within}`;
}

/** The budget of a window: `send-3600000*4` -> `send`. */
function budgetOf(window: string): Budget {
  // All windows are named by `windowName`, and wider ones by `forNetworks`.
  return window.replace(/[-*].*/, '') as Budget;
}

/** A window for each network of a client: wider ones may use a multiple of its limit. */
export function forNetworks<Asked extends Omit<LimitWindow, 'key'>>(
  asked: Asked,
  networks: readonly ClientNetwork[],
): (Asked & LimitWindow)[] {
  return networks.map(({ key, factor }) => ({
    ...asked,
    key,
    window: factor === 1 ? asked.window : `${asked.window}*${factor}`,
    limit: asked.limit * factor,
  }));
}

function tooManyRequests(full: Draw): DomainError {
  const { timeToExpire: seconds } = full;
  return new DomainError('too_many_requests', `Too many requests. Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds), ...headersOf(full) },
    extensions: { retry_after: seconds },
  });
}

/** The one with the fewest requests left; of those, the one that takes longest to have more. */
export function tightest(draws: readonly Draw[]): Draw | undefined {
  return draws.toSorted((one, other) => leftOf(one) - leftOf(other) || other.timeToExpire - one.timeToExpire)[0];
}

export function headersOf(draw: Draw): Readonly<Record<string, string>> {
  return {
    'RateLimit-Limit': String(draw.limit),
    'RateLimit-Remaining': String(leftOf(draw)),
    'RateLimit-Reset': String(draw.timeToExpire),
  };
}

const leftOf = ({ limit, totalHits }: Draw): number => limit - totalHits;
