import type { Span, SpanContext } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.js';
import { DomainError } from '../errors/domain-error.js';
import { outsideBasePath } from './arriving/gateway.js';
import { traceFields, traceParent } from '../tracing/request-scope.js';
import { randomUUID } from 'node:crypto';
import { normalizeIp } from '@nestjs/throttler';
import { isIP } from 'node:net';

export interface ServiceRequest extends Request {
  id: string;
  trace?: SpanContext | null;
  span?: Span;
  caller?: Caller;
  /** Set by the guard where the body decides. @throws {DomainError} `insufficient_user_authentication` */
  requireFresh?: () => void;
  /** Set by the guard: it came with a token of no caller. */
  hasBadToken?: boolean;
  /** Set by the guard where no caller is asked for: the devices of a user, of which the request shows one. */
  devices?: string;
  loan?: Loan;
}

/** The draws of a request from a budget before its credential was read. */
export interface Loan {
  /** Its credential is good. */
  giveBack(): Promise<void>;
  /** It has failed. @throws {DomainError} `too_many_requests`: nothing was left, and its credential is not good */
  settle(): Promise<void>;
}

const MAX_URL_LENGTH = 8_192;

export const SAFE_HEADERS = new Map([
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; object-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
]);

/** A year. @see RFC 6797 */
const HSTS = ['Strict-Transport-Security', 'max-age=31536000'] as const;

/**
 * Gives a request its id, an answer its safe headers, and the log a line with the path. A query may carry secrets.
 * @param isHttps whether clients reach the service by https alone: browsers then try http no more
 */
export function requestContext(
  log: Logger,
  { isHttps }: { readonly isHttps: boolean },
): (request: Request, response: Response, next: NextFunction) => void {
  const headers = new Map([...SAFE_HEADERS, ...(isHttps ? [HSTS] : [])]);
  return (incoming, response, next) => {
    const request = incoming as ServiceRequest;
    const start = performance.now();
    request.id = requestId(request.headers['x-request-id']);
    request.trace = traceParent(request.headers.traceparent);
    response.setHeader('X-Request-Id', request.id);
    response.setHeaders(headers);
    response.on('close', () => {
      const isAborted = !response.writableFinished;
      log.info({
        request_id: request.id,
        ip: clientAddress(request.ip),
        method: request.method,
        path: pathOf(request.originalUrl),
        status: response.statusCode,
        ms: Math.round((performance.now() - start) * 10) / 10,
        ...(request.caller ? { caller: `${request.caller.kind}:${request.caller.id ?? request.caller.name}` } : {}),
        ...traceFields(request),
        ...(isAborted ? { aborted: true } : {}),
      });
    });
    next(headFault(request));
  };
}

/** The path of a request target, without the query and, in the form meant for proxies, without the origin. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '');
}

/** The refusal of a request that its address or its headers make wrong on any route. */
function headFault(request: Request): DomainError | undefined {
  if (outsideBasePath.has(request)) return new DomainError('not_found', 'There is nothing at this address.');
  if (request.originalUrl.length > MAX_URL_LENGTH)
    return new DomainError('uri_too_long', `The address is longer than ${MAX_URL_LENGTH} characters.`);
  // Proxies differ in which one they check.
  if ((request.headersDistinct.authorization ?? []).length > 1)
    return new DomainError('malformed_request', 'The header Authorization was sent more than once.');
  return undefined;
}

/** UUIDs, base64, trace contexts. No markup: the id is repeated in answers and in the log. */
const ACCEPTABLE = /^[\w.:+/=-]{1,128}$/;

/** The id that a client or gateway gave the request, where it has no other characters than such ids; otherwise a new one. */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTABLE.test(header) ? header : randomUUID();
}

const WHOLE = 128;
/** The part of such an address that one household or one machine has for itself. */
const NETWORK = 64;
/** Networks that a customer line or a rented server often has, and the number of clients that each counts as. */
const WIDER_NETWORKS = [
  { prefix: 56, factor: 4 },
  { prefix: 48, factor: 16 },
] as const;
const MASKED = /\/\d+$/;
/** `[2001:db8::1]:80`, `[2001:db8::1]` */
const WITH_PORT_6 = /^\[([^\]]{2,45})\](?::\d{1,5})?$/;
/** `192.0.2.1:80` */
const WITH_PORT_4 = /^(\d[\d.]{6,14}):\d{1,5}$/;

/** The name of an address that is none. All clients without one are taken for the same client. */
const NO_ADDRESS = 'unknown';

/** One spelling for each address: `::FFFF:192.0.2.1`, `192.0.2.1:4711` -> `192.0.2.1`. Some proxies add a port. */
export function clientAddress(ip: string | undefined): string {
  const text = ip ?? '';
  const bare = WITH_PORT_6.exec(text)?.[1] ?? WITH_PORT_4.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? NO_ADDRESS : normalizeIp(bare, WHOLE).replace(MASKED, '');
}

export interface ClientNetwork {
  readonly key: string;
  readonly factor: number;
}

/** An address of version 4, or the /64 of one of version 6: what one client is counted by. */
export function clientNetwork(ip: string | undefined): string {
  return normalizeIp(clientAddress(ip), NETWORK);
}

/** An address of version 4, or the /64, /56 and /48 of one of version 6, the narrowest first. */
export function clientNetworks(ip: string | undefined): readonly [ClientNetwork, ...ClientNetwork[]] {
  const address = clientAddress(ip);
  const own = { key: normalizeIp(address, NETWORK), factor: 1 };
  const wider = WIDER_NETWORKS.map(({ prefix, factor }) => ({ key: normalizeIp(address, prefix), factor }));
  return [own, ...wider.filter(({ key }) => key !== own.key)];
}
