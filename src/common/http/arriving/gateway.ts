import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../errors/domain-error.js';
import { stripBasePath } from './base-path.js';

/** What HTTP has to know of the gateway in front of the service. */
export interface Gateway {
  /** Where the gateway shows the service: `/cms`; empty: at the root. */
  readonly basePath: string;
  /** Whether the gateway takes the base path off before it hands requests on. */
  readonly isBasePathStripped: boolean;
  /** How long an idle connection is kept, seconds: longer than the gateway keeps it, which must be the one to close it. */
  readonly keepAliveSeconds: number;
  /** How long a connection may stay without a byte in either direction while a request is under way, seconds. */
  readonly idleSeconds: number;
  /** Of a request line and its headers together, KiB. */
  readonly maxHeaderKb: number;
  /** The header in which clients send a token of this service, in lower case; `null`: in `Authorization`. */
  readonly tokenHeader: string | null;
  /** Whether a gateway may name the user of a request in {@link GATEWAY_HEADERS}. */
  readonly namesUsers: boolean;
  /** Whether the service compresses answers; otherwise the gateway may. */
  readonly isPacking: boolean;
  /** Requests under way at once; more are refused. */
  readonly maxRequests: number;
  /** Above so many milliseconds of delay of the event loop requests are refused; 0: never. */
  readonly maxLoopDelayMs: number;
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
    keepUnreadableSegments(request);
  };
}

const BEARER = /^bearer(?:[ \t]|$)/i;

/**
 * With a token in its own header that one alone decides. `Authorization` of another scheme is the gateway's in any case:
 * browsers send along what they know for the whole host.
 */
function useToken({ headers }: IncomingMessage, name: string | null): void {
  const token = name === null ? undefined : headers[name];
  if (token !== undefined && token !== '') headers.authorization = `Bearer ${String(token)}`;
  else if (!BEARER.test(headers.authorization ?? '')) delete headers.authorization;
}

/** Refuses a request with two `Authorization` lines: proxies differ in which one they check. */
export function oneAuthorization(
  { headersDistinct }: IncomingMessage,
  _: unknown,
  next: (error?: unknown) => void,
): void {
  const isDoubled = (headersDistinct.authorization ?? []).length > 1;
  next(
    isDoubled ? new DomainError('malformed_request', 'The header Authorization was sent more than once.') : undefined,
  );
}

/**
 * Takes segments of the path whose escapes cannot be decoded as they stand, so that each route answers them like any other
 * text, behind its guards: `/api/users/%E0%A4%A` is no user, and not a request that no route sees.
 *
 * `/api/cms/%ff/%C3%A9` -> `/api/cms/%25ff/%C3%A9`
 */
function keepUnreadableSegments(request: IncomingMessage): void {
  const { url = '/' } = request;
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (isDecodable(path)) return;
  const segments = path.split('/').map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')));
  request.url = segments.join('/') + url.slice(path.length);
}

function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
