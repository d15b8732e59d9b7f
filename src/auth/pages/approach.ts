import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { asksFor } from '../../common/http/preference.js';

/**
 * Who follows a link out of a mail. What scans mails asks with HEAD, or as a browser does, or for anything, and must not
 * spend it; browsers ask beforehand, too. A program names what it wants to read, and is not called as browsers are.
 */
export type Approach = 'look' | 'prefetch' | 'browser' | 'program';

export const CurrentApproach = createParamDecorator((_: unknown, context: ExecutionContext): Approach =>
  approachOf(context.switchToHttp().getRequest<Request>()),
);

function approachOf(request: Request): Approach {
  const { method, headers } = request;
  if (method === 'HEAD') return 'look';
  if (/\bprefetch\b/i.test(`${String(headers['sec-purpose'])} ${String(headers.purpose)}`)) return 'prefetch';
  const isBrowser = headers['user-agent']?.startsWith('Mozilla/') === true;
  return asksFor(request) === 'json' && !isBrowser ? 'program' : 'browser';
}
