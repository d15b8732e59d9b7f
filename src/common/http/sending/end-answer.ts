import type { Response } from 'express';
import { finished } from 'node:stream';
import { isBodyKeptBack } from '../body/expectation.js';

/**
 * Sends what is left of an answer at once, and ends it when the request has arrived whole. A connection that is closed
 * while the client sends would be reset, and the answer lost before the client has read it.
 */
export function endAnswer(response: Response, bytes?: Buffer): void {
  const { req: request } = response;
  if (request.complete || !hasBody(request.headers) || isBodyKeptBack(response)) {
    response.end(bytes);
    return;
  }
  response.flushHeaders();
  if (bytes) response.write(bytes);
  finished(request.resume(), () => response.end());
}

function hasBody(headers: Response['req']['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
