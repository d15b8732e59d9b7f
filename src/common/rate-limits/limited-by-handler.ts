import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import type { ServiceRequest } from '../http/request-context.js';
import { KeyedLimits } from './keyed-limits.js';
import { LATER } from './rate-limit.decorator.js';

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
 * Has the handler of a route under `/api/auth` say, by `AuthLimit`, whether a request shows a good credential: that is
 * known only when its body or its cookie was read. Until then it has drawn from `auth` by its address.
 */
export const LimitedByHandler = (): MethodDecorator =>
  applyDecorators(SetMetadata(LATER, true), UseInterceptors(LendingInterceptor));
