import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../errors/domain-error.js';

/** Refuses HEAD, which scanners send, where GET spends what can be spent once: Express hands both to one handler. */
const SPENDING_PATH = /^\/api\/auth\/(?:google|apple|oidc)\/callback\/?$/;

export function takesHead(path: string): boolean {
  return !SPENDING_PATH.test(path);
}

@Injectable()
export class NoHeadGuard implements CanActivate {
  /** @throws {DomainError} `not_found`, of which the filter makes `method_not_allowed` */
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<Request>().method !== 'HEAD') return true;
    throw new DomainError('not_found', 'There is nothing at this address.');
  }
}
