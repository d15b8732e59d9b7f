import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/**
 * Who follows a link out of a mail. Whatever scans mails asks with HEAD, or as a browser would, and must not spend it;
 * browsers ask beforehand, too.
 */
export type Approach = 'look' | 'prefetch' | 'browser' | 'program';

export const CurrentApproach = createParamDecorator((_: unknown, context: ExecutionContext): Approach =>
  approachOf(context.switchToHttp().getRequest<Request>()),
);

function approachOf(request: Request): Approach {
  const { method, headers } = request;
  if (method === 'HEAD') return 'look';
  if (/\bprefetch\b/i.test(`${String(headers['sec-purpose'])} ${String(headers.purpose)}`)) return 'prefetch';
  return request.accepts(['json', 'html']) === 'html' ? 'browser' : 'program';
}
