import type { IncomingMessage } from 'node:http';

/** Questions of load balancers and orchestrators, which know the process and not the gateway. */
const PROBES = '/health/';
const ORIGIN = /^https?:\/\/[^/?]*/i;

/** Requests for what is not below the base path. */
const astray = new WeakSet<IncomingMessage>();

/**
 * Takes the base path off the address of a request, before anything else looks at it: `/cms/api/docs` -> `/api/docs`.
 * A request without it is {@link isAstray}, but for the probes of health.
 */
export function takeOff(basePath: string, request: IncomingMessage): void {
  const url = (request.url ?? '/').replace(ORIGIN, '');
  const rest = url.slice(basePath.length);
  if (url.startsWith(basePath) && /^(?:[/?]|$)/.test(rest)) request.url = rest.startsWith('/') ? rest : `/${rest}`;
  else if (!url.startsWith(PROBES)) astray.add(request);
}

/** Whether a request is for something beside the service. */
export function isAstray(request: IncomingMessage): boolean {
  return astray.has(request);
}
