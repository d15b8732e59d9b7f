import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { clientAddress } from '../http/client-address.js';
import type { ServiceRequest } from '../http/request-context.js';

/** Where a request comes from, as far as it can be told without any credential. */
export interface Visitor {
  /** Address of the client, by the rules of `TRUST_PROXY`, in its one spelling. */
  readonly ip: string;
  /** At most 255 characters; `null` where none was sent. */
  readonly userAgent: string | null;
  readonly requestId: string;
}

const MAX_USER_AGENT = 255;

export function visitorOf({ ip, headers, id }: ServiceRequest): Visitor {
  return { ip: clientAddress(ip), userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null, requestId: id };
}

/** Where the current request comes from, as a handler's argument. */
export const CurrentVisitor = createParamDecorator((_: unknown, context: ExecutionContext): Visitor =>
  visitorOf(context.switchToHttp().getRequest<ServiceRequest>()),
);
