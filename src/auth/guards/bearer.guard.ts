import { Injectable, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { PUBLIC, REQUIRED_SCOPES } from '../../common/access/access.decorators.js';
import { isAllowed, type Caller, type Scope } from '../../common/access/caller.js';
import { insufficientScope } from '../../common/access/insufficient-scope.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { ServiceRequest } from '../../common/http/request-context.js';
import { Credentials } from '../credentials.js';

/** What a route asks of its callers. */
interface Rule {
  readonly isPublic: boolean;
  /** One of them is enough; none: any credential is. */
  readonly anyOf: readonly Scope[];
}

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** Anchored, of one alternative: an unanchored one needs quadratic time for a long header without a space. */
const BEARER = /^Bearer ([\x21-\x7e]{1,4096})$/i;

/** The one guard: lets a request pass that proves who sends it and may do what it asks for. */
@Injectable()
export class BearerGuard implements CanActivate {
  private readonly rules = new WeakMap<Type, Map<Handler, Rule>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly credentials: Credentials,
  ) {}

  /**
   * @throws {DomainError} `unauthorized`, `invalid_token` or `insufficient_scope`
   * @see RFC 6750
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { isPublic, anyOf } = this.ruleOf(context);
    if (isPublic) return true;
    const request = context.switchToHttp().getRequest<ServiceRequest>();
    const caller = await this.requireCaller(request.headers.authorization);
    request.caller = caller;
    requireScope(caller, anyOf, request.params.type);
    return true;
  }

  private async requireCaller(header: string | undefined): Promise<Caller> {
    if (!header) throw new DomainError('unauthorized', 'Send a token in the header: "Authorization: Bearer <token>".');
    const token = BEARER.exec(header)?.[1];
    const caller = token === undefined ? null : await this.credentials.callerOf(token);
    if (!caller) throw new DomainError('invalid_token', 'The token is not valid, has expired or was revoked.');
    return caller;
  }

  /** By class as well as by handler: a handler that two classes inherit may be public in one of them only. */
  private ruleOf(context: ExecutionContext): Rule {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const rules = this.rules.get(controller) ?? new Map<Handler, Rule>();
    this.rules.set(controller, rules);
    const rule = rules.get(handler) ?? this.readRule(handler, controller);
    rules.set(handler, rule);
    return rule;
  }

  private readRule(handler: Handler, controller: Type): Rule {
    const places = [handler, controller];
    return {
      isPublic: this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, places) ?? false,
      anyOf: this.reflector.getAllAndOverride<readonly Scope[] | undefined>(REQUIRED_SCOPES, places) ?? [],
    };
  }
}

function requireScope(caller: Caller, anyOf: readonly Scope[], type: unknown): void {
  const ofType = typeof type === 'string' ? type : undefined;
  if (anyOf.length === 0 || anyOf.some((scope) => isAllowed(caller, scope, ofType))) return;
  throw insufficientScope(`The token lacks the scope ${anyOf.join(' or ')}.`, anyOf);
}
