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
import type { SlidingWindows } from './sliding-windows.js';
import { budgetsOf } from './throttlers.js';

/** What clients are told of a count. Times are in seconds. */
type Told = Pick<ThrottlerLimitDetail, 'limit' | 'totalHits' | 'timeToExpire'>;

/** One request in the window of one throttler. Times are in seconds. */
interface Draw extends Pick<ThrottlerLimitDetail, 'key' | 'limit' | 'totalHits' | 'timeToExpire' | 'isBlocked'> {
  readonly throttler: ThrottlerRequest['throttler'];
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
    const left = tightest(draws.filter(({ throttler }) => throttler.setHeaders !== false));
    if (left) for (const [name, text] of Object.entries(headersOf(left))) response.setHeader(name, text);
    return true;
  }

  /** @returns whether this throttler lets the request through; the others are asked in any case */
  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    const { context, limit, ttl, blockDuration, throttler, getTracker, generateKey } = request;
    const name = nameOf(throttler);
    const key = generateKey(context, await getTracker(this.getRequestResponse(context).req, context), name);
    const record = await this.windows.increment(key, ttl, limit, blockDuration, name);
    this.draws.get(context)?.push({ throttler, key, limit, ...record });
    return !record.isBlocked;
  }

  private refusal(full: Draw, draws: readonly Draw[]): DomainError {
    for (const { key, throttler, isBlocked } of draws) if (!isBlocked) this.windows.giveBack(key, nameOf(throttler));
    return tooManyRequests(full);
  }
}

/** The refusal of a request for which there is nothing left. */
export function tooManyRequests(full: Told): DomainError {
  const { timeToExpire: seconds } = full;
  return new DomainError('too_many_requests', `Too many requests. Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds), ...headersOf(full) },
    facts: { retry_after: seconds },
  });
}

/** The one with the fewest requests left; of those, the one that takes longest to have more. */
function tightest(draws: readonly Draw[]): Draw | undefined {
  return draws.toSorted((one, other) => leftOf(one) - leftOf(other) || other.timeToExpire - one.timeToExpire)[0];
}

/** Headers that tell a client what it has left. */
function headersOf(draw: Told): Readonly<Record<string, string>> {
  return {
    'RateLimit-Limit': String(draw.limit),
    'RateLimit-Remaining': String(leftOf(draw)),
    'RateLimit-Reset': String(draw.timeToExpire),
  };
}

const leftOf = ({ limit, totalHits }: Told): number => limit - totalHits;
const nameOf = ({ name = '' }: Draw['throttler']): string => name;
