import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ServiceRequest } from '../http/request-context.js';
import type { AuthenticatedRequest } from './access.decorators.js';
import type { Caller } from './caller.js';
import { visitorOf, type Visitor } from './visitor.js';

/** Who does something, and from where, as the audit has it; without a visitor not over the network. */
export interface Initiator {
  readonly actor: Caller;
  readonly visitor: Visitor | null;
}

/** The caller of the current request and where it comes from, as a handler's argument. */
export const CurrentInitiator = createParamDecorator((_: unknown, context: ExecutionContext): Initiator => {
  const request = context.switchToHttp().getRequest<ServiceRequest & AuthenticatedRequest>();
  return { actor: request.caller, visitor: visitorOf(request) };
});
