import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest } from '../../../common/access/access.decorators.js';
import type { Scope } from '../../../common/access/caller.js';
import type { Initiator } from '../../../common/access/initiator.js';
import { visitorOf } from '../../../common/access/visitor.js';
import type { ServiceRequest } from '../../../common/http/request-context.js';
import { requireSession } from '../access/session-ref.js';
import type { TokenKind } from './rows/api-token.entity.js';

/** Some of all tokens. */
export interface TokenSet {
  readonly kind?: TokenKind;
  readonly ownerId?: number;
}

/** Who does something with tokens, and by what right. */
export interface TokenAuthority extends Initiator {
  /** What the actor needs; `null`: a living credential. */
  readonly scope: Scope | null;
  /** The tokens that are meant; others are not found. Left out: all. */
  readonly within?: TokenSet;
}

function requestOf(context: ExecutionContext): ServiceRequest & AuthenticatedRequest {
  return context.switchToHttp().getRequest<ServiceRequest & AuthenticatedRequest>();
}

/** The caller of the current request, who needs a scope for what they do with tokens, as a handler's argument. */
export const CurrentTokenAuthority = createParamDecorator((scope: Scope, context: ExecutionContext): TokenAuthority => {
  const request = requestOf(context);
  return { actor: request.caller, scope, visitor: visitorOf(request) };
});

/**
 * The signed-in user of the current request, for their own personal tokens, as a handler's argument.
 *
 * @throws {DomainError} `invalid_token`: an API token belongs to no session
 */
export const CurrentTokenOwner = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = requestOf(context);
  const within = { kind: 'personal', ownerId: requireSession(request.caller).userId } as const;
  return { actor: request.caller, scope: null, visitor: visitorOf(request), within };
});

/** {@link TokenAuthority} for {@link CurrentTokenOwner}. */
export type TokenOwner = TokenAuthority & { readonly within: { readonly kind: 'personal'; readonly ownerId: number } };
