import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import type { Response } from 'express';
import { DomainError } from '../errors/domain-error.js';
import { clientNetworks } from '../http/client-address.js';
import type { SlidingWindows } from './sliding-windows.js';
import { addressKey, budgetsOf, windowName } from './throttlers.js';

/** The state of a count, as clients see it. Times are in seconds. */
type RateLimitState = Pick<ThrottlerLimitDetail, 'limit' | 'totalHits' | 'timeToExpire'>;

/** One request in one window. Times are in seconds. */
interface Draw extends Pick<ThrottlerLimitDetail, 'key' | 'limit' | 'totalHits' | 'timeToExpire' | 'isBlocked'> {
  readonly window: string;
  /** Whether headers say what is left there. */
  readonly isShown: boolean;
}

/**
 * Counts a request in all windows of its budgets or, where one of them is full, in none. The library would count it
 * in those before the full one, and tell of each window in a header of its own that no client knows.
 */
@Injectable()
export class RequestLimits extends ThrottlerGuard {
  private readonly draws = new WeakMap<ExecutionContext, Draw[]>();

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() private readonly windows: SlidingWindows,
    reflector: Reflector,
  ) {
    super(options, windows, reflector);
  }

  /** @throws {DomainError} `too_many_requests` */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (budgetsOf(context).length === 0) return true;
    const response = context.switchToHttp().getResponse<Response>();
    const draws: Draw[] = [];
    this.draws.set(context, draws);
    await super.canActivate(context);
    const full = tightest(draws.filter(({ isBlocked }) => isBlocked));
    if (full) throw this.refusal(full, draws);
    const left = tightest(draws.filter(({ isShown }) => isShown));
    if (left) for (const [name, text] of Object.entries(headersOf(left))) response.setHeader(name, text);
    return true;
  }

  /**
   * Draws from the window of a throttler; a client of version 6 from those of its wider networks as well.
   *
   * @returns whether this throttler lets the request through; the others are asked in any case
   */
  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    const { context, limit, ttl: within, throttler, getTracker } = request;
    const { req } = this.getRequestResponse(context);
    const tracker = await getTracker(req, context);
    const { ip } = req as { readonly ip?: string };
    const keys = tracker === addressKey(ip) ? clientNetworks(ip) : [{ key: tracker, factor: 1 }];
    const drawn = keys.map(({ key, factor }): Draw => {
      const window = windowName(throttler.name ?? '', factor);
      const most = limit * factor;
      const count = this.windows.take({ window, key, limit: most, within });
      return { window, key, limit: most, isShown: throttler.setHeaders !== false, ...count };
    });
    this.draws.get(context)?.push(...drawn);
    return !drawn.some(({ isBlocked }) => isBlocked);
  }

  private refusal(full: Draw, draws: readonly Draw[]): DomainError {
    for (const { key, window, isBlocked } of draws) if (!isBlocked) this.windows.giveBack(key, window);
    return tooManyRequests(full);
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
