import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { cookieOf } from '../http/cookie.js';
import { clientAddress, type Loan, type ServiceRequest } from '../http/request-context.js';

/** The origin of a request, as far as that shows without any credential. */
export interface Visitor {
  /** Address of the client, by the rules of `TRUST_PROXY`, in its one spelling. */
  readonly ip: string;
  /** At most 255 characters; `null` where none was sent. */
  readonly userAgent: string | null;
  readonly requestId: string;
  /** The proof of a user's device, unchecked; `null`: nothing. */
  readonly device?: string | null;
  /** The draws of a request whose credential is in its body, from before that was read. */
  readonly loan?: Loan | undefined;
}

/** The cookie of known devices, with a prefix before it where the service is behind https. */
export const DEVICE_COOKIE = 'cms_device';

const MAX_USER_AGENT = 255;

export function visitorOf({ ip, headers, id, loan }: ServiceRequest): Visitor {
  const { cookie, 'user-agent': userAgent } = headers;
  return {
    ip: clientAddress(ip),
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    requestId: id,
    device: shownDevice(cookie),
    loan,
  };
}

/** The proof of a user's device in the cookies of a request, unchecked; `null`: nothing. */
export function shownDevice(cookies: string | undefined): string | null {
  if (cookies === undefined) return null;
  for (const prefix of ['__Host-', '__Secure-', '']) {
    const shown = cookieOf(cookies, prefix + DEVICE_COOKIE);
    if (shown !== null) return shown;
  }
  return null;
}

export const CurrentVisitor = createParamDecorator((_: unknown, context: ExecutionContext): Visitor =>
  visitorOf(context.switchToHttp().getRequest<ServiceRequest>()),
);
