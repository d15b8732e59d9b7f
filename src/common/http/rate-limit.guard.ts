import { Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import { DomainError } from '../errors/domain-error.js';
import type { ServiceRequest } from './request-context.js';

/** Limits how often one caller may use the routes of one controller, all of them together. */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  protected override headerPrefix = 'RateLimit';

  /** By caller, whatever address they come from; by address, as long as nobody has proved who they are. */
  protected override async getTracker(request: ServiceRequest): Promise<string> {
    const { caller } = request;
    if (!caller) return `ip:${await super.getTracker({ ip: request.ip ?? '' })}`;
    return `${caller.kind}:${caller.id ?? `configured:${caller.name}`}`;
  }

  /** The stock key names the handler, too, and so would give a caller a fresh budget on each route. */
  protected override generateKey(context: ExecutionContext, tracker: string, name: string): string {
    return `${context.getClass().name}:${name}:${tracker}`;
  }

  /** @throws {DomainError} `too_many_requests` */
  protected override throwThrottlingException(
    _: ExecutionContext,
    { limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    const seconds = String(Math.max(1, timeToBlockExpire));
    throw new DomainError('too_many_requests', `Too many requests. Try again in ${seconds} s.`, {
      headers: {
        'Retry-After': seconds,
        'RateLimit-Limit': String(limit),
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': seconds,
      },
    });
  }
}
