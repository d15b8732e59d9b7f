import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { PUBLIC, REQUIRED_SCOPES } from '../../common/access/access.decorators.js';
import { isAllowed, type Caller, type Scope } from '../../common/access/caller.js';
import { insufficientScope } from '../../common/access/insufficient-scope.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { perRoute } from '../../common/http/per-route.js';
import type { ServiceRequest } from '../../common/http/request-context.js';
import { RequestLimits } from '../../common/rate-limits/request-limits.js';
import { Credentials } from '../credentials.js';
import { bearerOf } from './bearer.js';

/** What a route asks of its callers. */
interface Rule {
  readonly isPublic: boolean;
  /** One of them is enough; none: any credential is. */
  readonly anyOf: readonly Scope[];
}

/** The one guard: lets a request pass that proves who sends it, may do what it asks for, and does not come too often. */
@Injectable()
export class BearerGuard implements CanActivate {
  private readonly ruleOf = perRoute((...places): Rule => ({
    isPublic: this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, places) ?? false,
    anyOf: this.reflector.getAllAndOverride<readonly Scope[] | undefined>(REQUIRED_SCOPES, places) ?? [],
  }));

  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: Credentials,
    private readonly limits: RequestLimits,
  ) {}

  /**
   * @throws {DomainError} `unauthorized`, `invalid_token`, `insufficient_scope` or `too_many_requests`
   * @see RFC 6750
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.ruleOf(context);
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    try {
      if (!rule.isPublic) await this.admit(request, rule.anyOf);
    } finally {
      // Refused or not: otherwise nobody would count those who only try.
      await this.limits.canActivate(context);
    }
    return true;
  }

  private async admit(request: ServiceRequest, anyOf: readonly Scope[]): Promise<void> {
    const caller = await this.requireCaller(request);
    request.caller = caller;
    requireScope(caller, anyOf, request.params.type);
  }

  private async requireCaller(request: ServiceRequest): Promise<Caller> {
    const { authorization: header } = request.headers;
    if (!header) throw new DomainError('unauthorized', 'Send a token in the header: "Authorization: Bearer <token>".');
    const token = bearerOf(header);
    const caller = token === undefined ? null : await this.credentials.callerOf(token);
    if (caller) return caller;
    request.hasBadToken = true;
    throw new DomainError('invalid_token', 'The token is not valid, has expired or was revoked.');
  }
}

function requireScope(caller: Caller, anyOf: readonly Scope[], type: unknown): void {
  const ofType = typeof type === 'string' ? type : undefined;
  if (anyOf.length === 0 || anyOf.some((scope) => isAllowed(caller, scope, ofType))) return;
  throw insufficientScope(`The token lacks the scope ${anyOf.join(' or ')}.`, anyOf);
}
