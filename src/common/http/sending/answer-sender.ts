import type { Response } from 'express';
import { finished } from 'node:stream';
import { holds } from '../answer.js';
import { isBodyKeptBack } from '../body/unread-body.js';
import { answerMemory } from './answer-memory.js';

/** Answers from this size on occupy memory for long answers. */
const LONG_BYTES = 65_536;
/** Ends that gateways which pack answers add to their validators. */
const ENCODINGS = ['', '-gzip', '-br'];

interface Locals {
  readonly credentialHeaders?: string;
}

/**
 * Sends an answer, or 304 if it is conditional and the client has it.
 * @throws {DomainError} `overloaded`: too many long answers are being sent, to this reader or to all
 */
export function sendJson(response: Response, bytes: Buffer, etag?: string, isConditional = false): void {
  const isHeld = isConditional && isHeldBy(response.req, etag);
  if (!isHeld && bytes.length >= LONG_BYTES) answerMemory.occupy(response, bytes.length);
  if (etag !== undefined) {
    const { credentialHeaders = 'Authorization' } = response.app.locals as Locals;
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'private, no-cache');
    response.appendHeader('Vary', credentialHeaders);
  }
  if (isHeld) {
    response.statusCode = 304;
    endAnswer(response);
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  endAnswer(response, bytes);
}

/** True for a read whose client has the answer (`If-None-Match`). */
function isHeldBy({ method, headers }: Response['req'], etag: string | undefined): boolean {
  if (etag === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  return ENCODINGS.some((encoding) => holds(headers['if-none-match'], `${etag.slice(0, -1)}${encoding}"`));
}

/** The rest of a body is waited for so long. */
const REST_MS = 5_000;
const REQUEST_TIMEOUT = 408;

/**
 * Sends an answer at once, and ends it when the request has arrived whole, or has had its time. An earlier end would reset
 * the connection, and the client would lose the answer.
 */
export function endAnswer(response: Response, bytes?: Buffer): void {
  const { req: request, statusCode } = response;
  const isWhole = request.complete || !hasBody(request.headers);
  if (isWhole || isBodyKeptBack(response) || statusCode === REQUEST_TIMEOUT) {
    response.end(bytes);
    return;
  }
  response.flushHeaders();
  if (bytes) response.write(bytes);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, REST_MS);
  finished(request.resume(), end);
}

function hasBody(headers: Response['req']['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
