import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ServiceRequest } from '../http/request-context.js';
import type { AuthenticatedRequest } from './access.decorators.js';
import type { Caller } from './caller.js';
import { visitorOf, type Visitor } from './visitor.js';

/** An actor and the place of an action, as the audit has them; without a visitor not over the network. */
export interface Initiator {
  readonly actor: Caller;
  readonly visitor: Visitor | null;
}

export const CurrentInitiator = createParamDecorator((_: unknown, context: ExecutionContext): Initiator => {
  const request = context.switchToHttp().getRequest<ServiceRequest & AuthenticatedRequest>();
  return { actor: request.caller, visitor: visitorOf(request) };
});
