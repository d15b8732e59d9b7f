import type { Request, Response } from 'express';
import { finished } from 'node:stream';
import { DomainError } from '../../errors/domain-error.js';
import { askForBody } from './expectation.js';

interface Limits {
  readonly bytes: number;
  /** Milliseconds from now on. */
  readonly withinMs: number;
}

/**
 * Receives the body of a request. What is longer than the limit is refused as soon as that is known; the rest of it is
 * read and dropped, so that the client gets to see the answer.
 *
 * @throws {DomainError} `payload_too_large`, `request_timeout`, or `malformed_request` where the client goes away before
 *   the end
 */
export async function bodyBytes(
  request: Request,
  response: Response,
  { bytes: limit, withinMs }: Limits,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  askForBody(response);
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
