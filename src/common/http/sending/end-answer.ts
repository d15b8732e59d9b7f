import type { Response } from 'express';
import { finished } from 'node:stream';
import { isBodyKeptBack } from '../body/expectation.js';

/** What is left of a body is waited for so long. */
const REST_MS = 5_000;
const REQUEST_TIMEOUT = 408;

/**
 * Sends what is left of an answer at once, and ends it when the request has arrived whole, or has had its time. A
 * connection that is closed while the client sends would be reset, and the answer lost before the client has read it.
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
