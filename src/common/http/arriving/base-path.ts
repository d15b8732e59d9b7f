import type { IncomingMessage } from 'node:http';

/** Questions of load balancers and orchestrators, which know the process and not the gateway. */
const PROBES = '/health/';
const ORIGIN = /^https?:\/\/[^/?]*/i;

/** Requests for what is not below the base path. */
const outside = new WeakSet<IncomingMessage>();

/**
 * Strips the base path from the URL of a request, before anything else reads it: `/cms/api/docs` -> `/api/docs`. A
 * request without it is {@link isOutsideBasePath}, but for the probes of health.
 */
export function stripBasePath(basePath: string, request: IncomingMessage): void {
  const url = (request.url ?? '/').replace(ORIGIN, '');
  const rest = url.slice(basePath.length);
  if (url.startsWith(basePath) && /^(?:[/?]|$)/.test(rest)) request.url = rest.startsWith('/') ? rest : `/${rest}`;
  else if (!url.startsWith(PROBES)) outside.add(request);
}

/** Whether the URL of a request was not below the base path. */
export function isOutsideBasePath(request: IncomingMessage): boolean {
  return outside.has(request);
}
