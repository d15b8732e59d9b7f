import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { asksFor } from '../../common/http/preference.js';

/**
 * The kind of client that requests a mailed link. Scanners of mail send HEAD, or the `Accept` and `User-Agent` of a
 * browser, and browsers prefetch: none of these may consume the link. Only a client that asks for JSON and does not
 * name itself a browser counts as a program.
 */
export type ClientKind = 'head' | 'prefetch' | 'browser' | 'program';

export const CurrentClientKind = createParamDecorator((_: unknown, context: ExecutionContext): ClientKind =>
  clientKindOf(context.switchToHttp().getRequest<Request>()),
);

function clientKindOf(request: Request): ClientKind {
  const { method, headers } = request;
  if (method === 'HEAD') return 'head';
  if (/\bprefetch\b/i.test(`${String(headers['sec-purpose'])} ${String(headers.purpose)}`)) return 'prefetch';
  const isBrowser = headers['user-agent']?.startsWith('Mozilla/') === true;
  return asksFor(request) === 'json' && !isBrowser ? 'program' : 'browser';
}
