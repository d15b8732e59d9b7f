import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { SkipThrottle } from '@nestjs/throttler';
import { catchError, type Observable } from 'rxjs';
import { sessionKey } from '../../common/access/caller.js';
import type { Visitor } from '../../common/access/visitor.js';
import type { ServiceRequest } from '../../common/http/request-context.js';
import { KeyedLimits } from '../../common/rate-limits/keyed-limits.js';

/** Draws from the budget `auth` for routes that find the credential of a request in its body or its cookie. */
@Injectable()
export class AuthLimit {
  constructor(private readonly limits: KeyedLimits) {}

  /**
   * Finds the session of a request. A good credential draws from the budget of its session, anything else from that of
   * the address: requests without one shut no signed-in user out.
   *
   * @param find throws if there is no good credential
   * @throws {DomainError} `too_many_requests`, and what `find` throws
   */
  async drawing<Found>(
    visitor: Pick<Visitor, 'loan'>,
    find: () => Found | Promise<Found>,
    sessionOf: (found: Found) => string,
    also?: 'refresh',
  ): Promise<Found> {
    const found = await this.drawingWhereRefused(visitor, find);
    await this.limits.take('auth', sessionKey(sessionOf(found)));
    if (also !== undefined) await this.limits.take(also, sessionOf(found));
    return found;
  }

  /** Gives a good credential back what was drawn by the address. @throws {DomainError} what `find` throws */
  async drawingWhereRefused<Found>(
    { loan }: Pick<Visitor, 'loan'>,
    find: () => Found | Promise<Found>,
  ): Promise<Found> {
    const found = await find();
    await loan?.giveBack();
    return found;
  }
}

/** Draws from `auth` by the address of a request, before the pipe of bodies waits for what its client sends. */
@Injectable()
class LendingInterceptor implements NestInterceptor {
  constructor(private readonly limits: KeyedLimits) {}

  /** @throws {DomainError} `too_many_requests` */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    const loan = await this.limits.lend(request.ip);
    request.loan = loan;
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        await loan.settle();
        throw error;
      }),
    );
  }
}

/**
 * Has the handler of a route under `/api/auth` say, by `AuthLimit`, whether a request shows a good credential. Until then
 * the request has drawn from `auth` by its address.
 */
export const LimitedByHandler = (): MethodDecorator =>
  applyDecorators(SkipThrottle({ auth: true }), UseInterceptors(LendingInterceptor));
