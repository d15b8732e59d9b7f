import type { NextFunction, Request, Response } from 'express';
import { finished } from 'node:stream';
import { DomainError, ValidationError } from '../../errors/domain-error.js';
import { ownTurn } from '../../concurrency/own-turn.js';
import { exactJson } from '../../text/exact-numbers.js';
import { unsafeValues, extentFaults } from './json-extent.js';
import { pathOf } from '../request-context.js';
import type { Server, ServerResponse } from 'node:http';

/** Node ends every request after thirty seconds. */
const CONTENT_LIMITS = { bytes: 1_048_576, withinMs: 30_000 };
/** A million characters of most scripts are two or three megabytes, of any script four at most. */
const RECORD_LIMITS = { ...CONTENT_LIMITS, bytes: 4 * 1_048_576 };
/** Most of these bodies come without a credential. */
const AUTH_LIMITS = { bytes: 16_384, withinMs: 5_000 };
/** To decode and to parse so much takes a millisecond or more. */
const LONG_BYTES = 131_072;
/** Paths at which records and working copies are written: `/api/cms/post`, `/api/cms/post/7`, `/api/cms/post/7/draft`. */
const RECORD_PATH = /^\/api\/cms\/(?!taxonomy(?:\/|$))[^/]+(?:\/[^/]+(?:\/draft)?)?\/?$/;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;
const JSON_TYPE = /^application\/(?:merge-patch\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Paths of forms that pages and providers post for people. Other forms are refused, so that no page forges requests. */
const FORM_PATHS = new Set([
  '/api/auth/apple/callback',
  '/api/auth/invitations/accept',
  '/api/auth/magic-link/verify',
  '/api/auth/password/reset',
  '/api/auth/lock-down',
  ...['google', 'apple', 'oidc'].map((provider) => `/api/auth/${provider}/redirect`),
]);

/** True if forms may be posted to a path: its pages are for people in front of browsers. */
export function isFormPath(path: string): boolean {
  return FORM_PATHS.has(path);
}

const PROGRAM_FORM_PATH = '/api/auth/oidc/backchannel-logout';

/** True if a request posts a form where one is expected of a page: then a person is in front of a browser. */
export function isForm({ headers, url }: Request): boolean {
  return FORM_TYPE.test(headers['content-type'] ?? '') && isFormPath(pathOf(url));
}

function takesForm(request: Request): boolean {
  const { headers, url } = request;
  return isForm(request) || (FORM_TYPE.test(headers['content-type'] ?? '') && pathOf(url) === PROGRAM_FORM_PATH);
}

/** A body that is not read yet. The pipe of bodies reads it behind all guards: a refused request costs only its headers. */
export class UnreadBody {
  form: Readonly<Record<string, unknown>> | undefined;
  private content: Promise<unknown> | undefined;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
  ) {}

  /**
   * @returns JSON in UTF-8, or a form if one is expected; `undefined`: there is no body
   * @throws {DomainError} `payload_too_large`, `request_timeout`, `unsupported_media_type`, `malformed_json`,
   * `malformed_request`
   * @throws {ValidationError}
   */
  read(): Promise<unknown> {
    return (this.content ??= this.receive());
  }

  private async receive(): Promise<unknown> {
    const { headers: sent, url } = this.request;
    // What else a handler takes is looked at meanwhile: a path that can name no type is 404, whatever the body is.
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
    // A little of it could be a lot of text.
    if ((sent['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
      const headers = { 'Accept-Encoding': 'identity' };
      throw new DomainError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.', {
        headers,
      });
    }
    const bytes = await bodyBytes(this.request, this.response, limitsOf(pathOf(url)));
    if (bytes.length === 0) return undefined;
    if (JSON_TYPE.test(sent['content-type'] ?? '')) return jsonOf(bytes);
    if (takesForm(this.request)) return (this.form = formOf(bytes));
    throw new DomainError('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
}

/** Leaves bodies where they are until a handler takes one. */
export function unreadBody(request: Request, response: Response, next: NextFunction): void {
  if (METHODS_WITH_BODY.has(request.method)) request.body = new UnreadBody(request, response);
  next();
}

/** Each look at a long body has a turn of the event loop of its own; so does what is done with it afterwards. */
async function jsonOf(bytes: Buffer): Promise<unknown> {
  const isLong = bytes.length >= LONG_BYTES;
  if (isLong) await ownTurn();
  const excess = extentFaults(bytes);
  if (excess.length > 0) throw new ValidationError(excess);
  if (isLong) await ownTurn();
  let value: unknown;
  try {
    value = exactJson(utf8.decode(bytes));
  } catch (cause) {
    throw new DomainError('malformed_json', 'The body is not valid JSON in UTF-8.', { cause });
  }
  if (isLong) await ownTurn();
  const unsafe = unsafeValues(value);
  if (unsafe.length > 0) throw new ValidationError(unsafe);
  if (isLong) await ownTurn();
  return value;
}

/** The fields of a form by name. One that is sent twice is no text, so that its reader refuses it. */
function formOf(bytes: Buffer): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    fields.set(name, fields.has(name) ? null : value);
  }
  const form = Object.fromEntries(fields);
  const unsafe = unsafeValues(form);
  if (unsafe.length > 0) throw new ValidationError(unsafe);
  return form;
}

interface Limits {
  readonly bytes: number;
  /** Milliseconds from now on. */
  readonly withinMs: number;
}

function limitsOf(path: string): Limits {
  if (path.startsWith('/api/auth/')) return AUTH_LIMITS;
  return RECORD_PATH.test(path) ? RECORD_LIMITS : CONTENT_LIMITS;
}

/**
 * Receives a body. The rest of one that is too long is read and dropped, so that the client gets to see the answer.
 * @throws {DomainError} `payload_too_large`, `request_timeout`; `malformed_request`: the client went away before the end
 */
async function bodyBytes(request: Request, response: Response, { bytes: limit, withinMs }: Limits): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (waiting.delete(response)) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(() => {
      reject(tooSlow(withinMs));
    }, withinMs);
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      reject(tooLarge(limit));
    });
    // Also where the client has gone before the body was asked for.
    finished(request, (cause) => {
      clearTimeout(timer);
      if (cause) reject(new DomainError('malformed_request', 'The request could not be read.', { cause }));
      else resolve(Buffer.concat(chunks));
    });
  });
}

function tooLarge(limit: number): DomainError {
  return new DomainError('payload_too_large', `The body is longer than ${limit} bytes.`);
}

function tooSlow(withinMs: number): DomainError {
  return new DomainError('request_timeout', `The body did not arrive within ${withinMs / 1_000} s.`, {
    headers: { Connection: 'close' },
  });
}

/** Answers to requests whose clients keep the body back until they are asked for it. */
const waiting = new WeakSet<ServerResponse>();

/** Leaves it to {@link bodyBytes} to send `100 Continue`: Node would ask for every body, also of what is refused. */
export function keepExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.add(response);
    server.emit('request', request, response);
  });
}

/** True if the client still waits, and sends nothing. Node closes the connection after such an answer. */
export function isBodyKeptBack(response: ServerResponse): boolean {
  return waiting.has(response);
}
