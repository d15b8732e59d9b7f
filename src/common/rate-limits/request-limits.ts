import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Response } from 'express';
import { DomainError } from '../errors/domain-error.js';
import { LoadLimit } from '../http/arriving/load-limit.js';
import { clientNetwork, clientNetworks, type ServiceRequest } from '../http/request-context.js';
import type { Count, RateWindows, WindowKey } from './rate-windows.js';
import { RefusalCount } from './refusal-count.js';
import { callerKey, credentialKey } from '../access/caller.js';
import type { Budget, Budgets } from './budgets.js';
import { routeBudgets } from './rate-limit.decorator.js';

type Tracked = Partial<Pick<ServiceRequest, 'ip' | 'caller' | 'devices'>>;

/** What budgets have of their own; all others are by session or token, or else by address, and stand in headers. */
const PECULIAR: Readonly<Partial<Record<Budget, Partial<ThrottlerOptions>>>> = {
  users: { getTracker: ({ caller, ip }: Tracked) => (caller ? callerKey(caller) : clientNetwork(ip)) },
  badTokens: { setHeaders: false },
};

/** What the library calls the window of a throttler for keys that may use a multiple of its limit. */
export function windowName(throttler: string, factor: number): string {
  return factor === 1 ? throttler : `${throttler}*${factor}`;
}

/** The throttler of a limit of a budget: `login-60000`. */
export function throttlerName(budget: Budget, within: number): string {
  return `${budget}-${within}`;
}

/** The budget of a window: `login-60000*4` -> `login`. */
export function budgetOf(window: string): Budget {
  // All windows are named by `throttlerName`.
  return window.slice(0, window.indexOf('-')) as Budget;
}

/**
 * The budgets as throttlers, one for each limit. They count by client, whatever route it asks for: what requests without
 * a good credential do from an address costs those with one nothing, nor those from a known device.
 */
export function throttling(budgets: Budgets, storage: ThrottlerStorage): ThrottlerModuleOptions {
  return {
    storage,
    throttlers: Object.entries(budgets).flatMap(([name, limits]) => throttlersOf(name as Budget, limits)),
    getTracker: ({ caller, devices, ip }: Tracked) =>
      caller ? credentialKey(caller) : devices === undefined ? clientNetwork(ip) : deviceKey(devices),
    generateKey: (_, tracker) => tracker,
  };
}

/** What a request draws from. */
function budgetsOf(context: ExecutionContext): readonly Budget[] {
  const budgets = routeBudgets(context);
  const { hasBadToken } = context.switchToHttp().getRequest<ServiceRequest>();
  return hasBadToken ? ['badTokens', ...budgets] : budgets;
}

function throttlersOf(budget: Budget, limits: Budgets[Budget]): ThrottlerOptions[] {
  return limits.map(({ requests, within }) => ({
    name: throttlerName(budget, within),
    limit: requests,
    ttl: within,
    // A limit that is off is passed over and not left out: without any throttler the library takes us for careless.
    skipIf: (context) => requests === 0 || !budgetsOf(context).includes(budget),
    ...PECULIAR[budget],
  }));
}

/** All devices of a user: each sign-in makes one more of them, and they are not to be more and more tries. */
function deviceKey(devices: string): string {
  return `devices:${devices}`;
}

/** The state of a count, as clients see it. Times are in seconds. */
type RateLimitState = Pick<ThrottlerLimitDetail, 'limit' | 'totalHits' | 'timeToExpire'>;

/** A window that a request draws from. */
interface Asked extends WindowKey {
  /** Whether headers say what is left there. */
  readonly isShown: boolean;
}

/** One request in one window. */
type Draw = Asked & Count;

/**
 * Counts a request in all windows of its budgets or, where one of them is full, in none. The library would count it
 * in those before the full one, and tell of each window in a header of its own that no client knows.
 */
@Injectable()
export class RequestLimits extends ThrottlerGuard {
  private readonly asked = new WeakMap<ExecutionContext, Asked[]>();

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() private readonly windows: RateWindows,
    reflector: Reflector,
    private readonly refusals: RefusalCount,
    private readonly load: LoadLimit,
  ) {
    super(options, windows, reflector);
  }

  /** @throws {DomainError} `too_many_requests`; `overloaded`: the caller has its share under way */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    this.load.claim(context.switchToHttp().getRequest<ServiceRequest>());
    if (budgetsOf(context).length === 0) return true;
    const response = context.switchToHttp().getResponse<Response>();
    const asked: Asked[] = [];
    this.asked.set(context, asked);
    await super.canActivate(context);
    const draws = await this.draw(asked);
    const full = tightest(draws.filter(({ isBlocked }) => isBlocked));
    if (full) {
      this.refusals.add(budgetOf(full.window));
      throw tooManyRequests(full);
    }
    const left = tightest(draws.filter(({ isShown }) => isShown));
    if (left) for (const [name, text] of Object.entries(headersOf(left))) response.setHeader(name, text);
    return true;
  }

  /**
   * Notes the window of a throttler; for a client of version 6 those of its wider networks as well.
   *
   * @returns true: whether they are full is asked of all of them at once
   */
  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    const { context, limit, ttl: within, throttler, getTracker } = request;
    const { req } = this.getRequestResponse(context);
    const tracker = await getTracker(req, context);
    const { ip } = req as { readonly ip?: string };
    const keys = tracker === clientNetwork(ip) ? clientNetworks(ip) : [{ key: tracker, factor: 1 }];
    const isShown = throttler.setHeaders !== false;
    const asked = keys.map(({ key, factor }): Asked => {
      return { window: windowName(throttler.name ?? '', factor), key, limit: limit * factor, within, isShown };
    });
    this.asked.get(context)?.push(...asked);
    return true;
  }

  private async draw(asked: readonly Asked[]): Promise<readonly Draw[]> {
    if (asked.length === 0) return [];
    const counts = await this.windows.draw(asked);
    return asked.flatMap((one, at) => {
      const count = counts[at];
      return count ? [{ ...one, ...count }] : [];
    });
  }
}

/** The refusal of a request for which there is nothing left. */
export function tooManyRequests(full: RateLimitState): DomainError {
  const { timeToExpire: seconds } = full;
  return new DomainError('too_many_requests', `Too many requests. Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds), ...headersOf(full) },
    extensions: { retry_after: seconds },
  });
}

/** The one with the fewest requests left; of those, the one that takes longest to have more. */
function tightest(draws: readonly Draw[]): Draw | undefined {
  return draws.toSorted((one, other) => leftOf(one) - leftOf(other) || other.timeToExpire - one.timeToExpire)[0];
}

/** Headers that tell a client what it has left. */
function headersOf(draw: RateLimitState): Readonly<Record<string, string>> {
  return {
    'RateLimit-Limit': String(draw.limit),
    'RateLimit-Remaining': String(leftOf(draw)),
    'RateLimit-Reset': String(draw.timeToExpire),
  };
}

const leftOf = ({ limit, totalHits }: RateLimitState): number => limit - totalHits;
