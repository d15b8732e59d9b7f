import express, { type NextFunction, type Request, type Response } from 'express';
import { DomainError, ValidationError } from '../errors/domain-error.js';
import { unsafeValues } from '../unsafe-values.js';
import { pathOf } from './request-context.js';

const CONTENT_LIMIT_BYTES = 1_048_576;
const AUTH_LIMIT_BYTES = 16_384;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const anyType = (): boolean => true;
const readContent = express.raw({ type: anyType, limit: CONTENT_LIMIT_BYTES });
const readAuth = express.raw({ type: anyType, limit: AUTH_LIMIT_BYTES });

/** Reads bodies: JSON in UTF-8 and nothing else. One that is too long is read to its end and then refused. */
export function jsonBody(request: Request, response: Response, next: NextFunction): void {
  if (!METHODS_WITH_BODY.has(request.method)) {
    next();
    return;
  }
  const read = pathOf(request.url).startsWith('/api/auth/') ? readAuth : readContent;
  read(request, response, (failure: unknown) => {
    if (failure) {
      next(failure);
      return;
    }
    try {
      request.body = bodyOf(request);
      next();
    } catch (error) {
      next(error);
    }
  });
}

function bodyOf({ body, headers }: Request): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new DomainError('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
  const value = parse(body);
  const faults = unsafeValues(value);
  if (faults.length > 0) throw new ValidationError(faults);
  return value;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch (cause) {
    throw new DomainError('malformed_json', 'The body is not valid JSON in UTF-8.', { cause });
  }
}
