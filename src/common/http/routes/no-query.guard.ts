import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { queryOf, requireKnown } from '../url-query.js';

@Injectable()
export class NoQueryGuard implements CanActivate {
  /** @throws {DomainError} `invalid_query`, naming the parameter */
  canActivate(context: ExecutionContext): boolean {
    requireKnown(queryOf(context.switchToHttp().getRequest<Request>()), []);
    return true;
  }
}
