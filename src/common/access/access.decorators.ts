import {
  createParamDecorator,
  SetMetadata,
  type CustomDecorator,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import type { Caller, Scope } from './caller.js';

export const PUBLIC = 'access:public';
export const REQUIRED_SCOPES = 'access:scopes';

/** Opens a route to anonymous callers. Without it every route asks for a credential. */
export const Public = (): CustomDecorator => SetMetadata(PUBLIC, true);

/** Says which scope a route needs; one of several is enough. With `:type`, a scope narrowed to that type is enough too. */
export const RequireScope = (...anyOf: [Scope, ...Scope[]]): CustomDecorator => SetMetadata(REQUIRED_SCOPES, anyOf);

export const FRESH_SIGN_IN = 'access:fresh';

/** The requests that need a fresh sign-in: each one, those with `?confirm=`, or those whose handler calls `requireFresh`. */
export type FreshSignInRule = 'always' | 'confirmed' | 'by body';

/** Has users prove who they are again where their last sign-in is not fresh. Tokens are not asked. @see RFC 9470 */
export const FreshSignIn = (rule: FreshSignInRule = 'always'): CustomDecorator => SetMetadata(FRESH_SIGN_IN, rule);

export interface AuthenticatedRequest {
  caller: Caller;
}

export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => context.switchToHttp().getRequest<AuthenticatedRequest>().caller,
);

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** Reads once for each route what its decorators say. By class as well as by handler: two classes may inherit one. */
export function perRoute<Fact>(
  read: (handler: Handler, controller: Type) => Fact,
): (context: ExecutionContext) => Fact {
  const values = new WeakMap<Type, Map<Handler, Fact>>();
  return (context) => {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const ofController = values.get(controller) ?? new Map<Handler, Fact>();
    values.set(controller, ofController);
    const fact = ofController.get(handler) ?? read(handler, controller);
    ofController.set(handler, fact);
    return fact;
  };
}
