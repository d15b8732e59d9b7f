import type { IncomingMessage } from 'node:http';

export interface Gateway {
  /** The path at which the gateway shows the service: `/cms`; empty: at the root. */
  readonly basePath: string;
  /** True if the gateway takes the base path off before it hands requests on. */
  readonly isBasePathStripped: boolean;
  /** Seconds for which an idle connection is kept: longer than the gateway keeps it, which must be the one to close it. */
  readonly keepAliveSeconds: number;
  /** The header in which clients send a token of this service, in lower case; `null`: in `Authorization`. */
  readonly tokenHeader: string | null;
  /** True if a gateway may name the user of a request in {@link GATEWAY_HEADERS}. */
  readonly namesUsers: boolean;
  readonly maxRequests: number;
}

/** By what a gateway proves itself, and names the user of a request. */
export const GATEWAY_HEADERS = {
  secret: 'x-gateway-secret',
  user: 'x-forwarded-user',
  email: 'x-forwarded-email',
  groups: 'x-forwarded-groups',
  authTime: 'x-forwarded-auth-time',
} as const;

/** The headers that say who asks, as `Vary` names them: caches keep an answer for that caller alone. */
export function credentialHeaders({ tokenHeader, namesUsers }: Gateway): string {
  const others = [
    ...(tokenHeader === null ? [] : [tokenHeader]),
    ...(namesUsers ? Object.values(GATEWAY_HEADERS) : []),
  ];
  return ['Authorization', ...others].join(', ');
}

/** Brings a request into the form that it would have without a gateway, before anything else looks at it. */
export function arrival({ basePath, isBasePathStripped, tokenHeader }: Gateway): (request: IncomingMessage) => void {
  return (request) => {
    if (basePath !== '' && !isBasePathStripped) stripBasePath(basePath, request);
    useToken(request, tokenHeader);
    cutForwarding(request);
    keepUnreadableSegments(request);
  };
}

/** Characters of `X-Forwarded-For` that are read: the addresses of the last twenty proxies at least. */
const MOST_FORWARDED = 1_024;

/** Leaves the end of a long `X-Forwarded-For`, which the nearest proxies have written: anyone may write what is before it. */
function cutForwarding({ headers }: IncomingMessage): void {
  const text = String(headers['x-forwarded-for'] ?? '');
  if (text.length <= MOST_FORWARDED) return;
  const end = text.slice(-MOST_FORWARDED);
  headers['x-forwarded-for'] = end.slice(end.indexOf(',') + 1);
}

const BEARER = /^bearer(?:[ \t]|$)/i;

/** A token in its own header decides alone. Other schemes of `Authorization` are the gateway's: browsers send what they know. */
function useToken({ headers }: IncomingMessage, name: string | null): void {
  const token = name === null ? undefined : headers[name];
  if (token !== undefined && token !== '') headers.authorization = `Bearer ${String(token)}`;
  else if (!BEARER.test(headers.authorization ?? '')) delete headers.authorization;
}

/**
 * Takes segments whose escapes cannot be decoded as they stand, so that a route answers them behind its guards.
 * `/api/cms/%ff/%C3%A9` -> `/api/cms/%25ff/%C3%A9`
 */
function keepUnreadableSegments(request: IncomingMessage): void {
  const { url = '/' } = request;
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (!path.includes('%') || isDecodable(path)) return;
  const segments = path.split('/').map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')));
  request.url = segments.join('/') + url.slice(path.length);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Questions of load balancers and orchestrators, which know the process and not the gateway. */
const PROBES = '/health/';
const ORIGIN = /^https?:\/\/[^/?]*/i;

/** Requests whose URL was not below the base path. */
export const outsideBasePath = new WeakSet<IncomingMessage>();

/**
 * Strips the base path from the URL of a request, before anything else reads it: `/cms/api/docs` -> `/api/docs`. A
 * request without it is {@link outsideBasePath}, but for the probes of health.
 */
function stripBasePath(basePath: string, request: IncomingMessage): void {
  const url = (request.url ?? '/').replace(ORIGIN, '');
  const rest = url.slice(basePath.length);
  if (url.startsWith(basePath) && /^(?:[/?]|$)/.test(rest)) request.url = rest.startsWith('/') ? rest : `/${rest}`;
  else if (!url.startsWith(PROBES)) outsideBasePath.add(request);
}
