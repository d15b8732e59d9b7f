import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ValidationError } from '../common/errors/domain-error.js';

/** Refuses a body that is missing or `null`, where an empty object would be a change of nothing. */
@Injectable()
export class HasBodyGuard implements CanActivate {
  /** @throws {ValidationError} */
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<Request<unknown, unknown, unknown>>();
    if (body !== undefined && body !== null) return true;
    throw new ValidationError([{ field: '', rule: 'object', message: 'Send a JSON object as the body.' }]);
  }
}
