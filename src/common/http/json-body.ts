import express, { type NextFunction, type Request, type Response } from 'express';
import { DomainError, ValidationError, type Fault } from '../errors/domain-error.js';
import { pathOf } from './request-context.js';

const CONTENT_LIMIT_BYTES = 1_048_576;
const AUTH_LIMIT_BYTES = 16_384;
const MAX_DEPTH = 32;
/** Longer names of places are cut: each fault repeats its own. */
const MAX_PLACE_LENGTH = 200;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
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
  const faults = unsafe(value, '', 1);
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

/** What no field of any record may hold, wherever it stands in the body. */
function unsafe(value: unknown, field: string, depth: number): Fault[] {
  if (typeof value === 'string') return unsafeText(value, field);
  if (typeof value !== 'object' || value === null) return [];
  if (depth > MAX_DEPTH) {
    return [{ field, rule: 'depth', message: `The body is nested deeper than ${MAX_DEPTH} levels.` }];
  }
  return Object.entries(value).flatMap(([key, item]) => {
    const path = placeOf(field, key);
    if (FORBIDDEN_KEYS.has(key))
      return [{ field: path, rule: 'forbidden_key', message: `The key "${key}" is not allowed.` }];
    return [...unsafeText(key, path), ...unsafe(item, path, depth + 1)];
  });
}

function placeOf(parent: string, key: string): string {
  const place = parent === '' ? key : `${parent}.${key}`;
  return place.length <= MAX_PLACE_LENGTH ? place : `${place.slice(0, MAX_PLACE_LENGTH).toWellFormed()}…`;
}

function unsafeText(text: string, field: string): Fault[] {
  const name = field === '' ? 'The body' : field;
  if (text.includes('\u0000')) return [{ field, rule: 'nul', message: `${name} must not contain NUL characters.` }];
  if (!text.isWellFormed()) return [{ field, rule: 'unicode', message: `${name} holds half of a surrogate pair.` }];
  return [];
}
