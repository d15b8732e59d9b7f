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
import { UnreadBody } from '../http/body/unread-body.js';
import type { ServiceRequest } from '../http/request-context.js';
import { KeyedLimits } from './keyed-limits.js';
import { LATER } from './rate-limit.decorator.js';

/** Has a request whose body is refused draw from `auth` by its address, where that is left to a handler. */
@Injectable()
class RefusedBodies implements NestInterceptor {
  constructor(private readonly limits: KeyedLimits) {}

  /** @throws {DomainError} `too_many_requests` */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (isRefused(request)) await this.limits.takeByAddress('auth', request.ip);
        throw error;
      }),
    );
  }
}

function isRefused({ body }: ServiceRequest): boolean {
  return body instanceof UnreadBody && body.isRefused;
}

/**
 * Has the handler of a route under `/api/auth` draw from `auth`, by `AuthLimit`: whether the request shows a good
 * credential is known only when its body or its cookie was read. A body that is refused draws from it as well.
 */
export const LimitedByHandler = (): MethodDecorator =>
  applyDecorators(SetMetadata(LATER, true), UseInterceptors(RefusedBodies));
