import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AuthenticatedRequest } from '../common/access/access.decorators.js';
import { callerKey, type Caller } from '../common/access/caller.js';
import { DomainError } from '../common/errors/domain-error.js';
import { UnreadBody } from '../common/http/body/unread-body.js';
import type { ServiceRequest } from '../common/http/request-context.js';

const VISIBLE = /^[\x21-\x7e]{1,255}$/;
const QUOTED = /^"(.*)"$/;

export interface KeyedRequest {
  /** `user:7`, `token:12`, or the hash of a token of the configuration: the session does not matter. */
  readonly caller: string;
  /** SHA-256 of the key, base64url. */
  readonly hash: string;
  readonly request: string;
}

export async function keyedRequest(
  { method, url, body, caller }: Pick<ServiceRequest & AuthenticatedRequest, 'method' | 'url' | 'body' | 'caller'>,
  key: string,
): Promise<KeyedRequest> {
  const said = body instanceof UnreadBody ? await body.read() : undefined;
  return { caller: nameOf(caller), hash: sha256(key), request: requestHash({ method, url, body: said }) };
}

/** `8e03978e` and `"8e03978e"` are the same one; `null`: none. @throws {DomainError} `malformed_request` */
export function idempotencyKey(headers: IncomingHttpHeaders): string | null {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return null;
  // Node joins what is sent twice with a comma and a space.
  const text = String(sent);
  const key = QUOTED.exec(text)?.[1] ?? text;
  if (VISIBLE.test(key)) return key;
  throw new DomainError(
    'malformed_request',
    'Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces.',
  );
}

/** SHA-256 of a request, base64url; the order of the keys in its body does not matter. */
export function requestHash({ method, url, body }: Pick<ServiceRequest, 'method' | 'url'> & { body: unknown }): string {
  return sha256(JSON.stringify([method, url, body], inOrder));
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function nameOf(caller: Caller): string {
  return caller.configured === undefined ? callerKey(caller) : `configured:${caller.configured}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
