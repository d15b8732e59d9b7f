import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { queryOf, requireKnown } from '../url-query.js';

/** Refuses other query parameters before a body is read: a misspelled one would change another thing than was meant. */
export function knownQuery(...names: readonly string[]): CanActivate {
  return {
    /** @throws {DomainError} `invalid_query`, naming the parameter */
    canActivate(context: ExecutionContext): boolean {
      requireKnown(queryOf(context.switchToHttp().getRequest<Request>()), names);
      return true;
    },
  };
}
