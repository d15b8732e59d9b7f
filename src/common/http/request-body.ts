import express, { type NextFunction, type Request, type Response } from 'express';
import { DomainError, ValidationError } from '../errors/domain-error.js';
import { unsafeValues } from '../unsafe-values.js';
import { pathOf } from './request-context.js';

const CONTENT_LIMIT_BYTES = 1_048_576;
const AUTH_LIMIT_BYTES = 16_384;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const anyType = (): boolean => true;
const readContent = express.raw({ type: anyType, limit: CONTENT_LIMIT_BYTES });
const readAuth = express.raw({ type: anyType, limit: AUTH_LIMIT_BYTES });

/** Where pages and identity providers post forms. Everywhere else a form is refused, so that no page can forge requests. */
const FORM_PATHS = new Set([
  '/api/auth/apple/callback',
  '/api/auth/invitations/accept',
  '/api/auth/magic-link/verify',
  '/api/auth/password/reset',
]);

/** Whether a request posts a form where one is expected: then a person is in front of a browser. */
export function isForm({ headers, url }: Request): boolean {
  return FORM_TYPE.test(headers['content-type'] ?? '') && FORM_PATHS.has(pathOf(url));
}

/** Reads bodies: JSON in UTF-8, and forms where they are expected. One that is too long is read to its end and then refused. */
export function requestBody(request: Request, response: Response, next: NextFunction): void {
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

function bodyOf(request: Request): unknown {
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  if (isForm(request)) return formOf(body);
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) {
    throw new DomainError('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
  const value = parse(body);
  const faults = unsafeValues(value);
  if (faults.length > 0) throw new ValidationError(faults);
  return value;
}

/** The fields of a form by name. One that is sent twice is no text, so that whoever reads it refuses it. */
function formOf(bytes: Buffer): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    fields.set(name, fields.has(name) ? null : value);
  }
  const form = Object.fromEntries(fields);
  const faults = unsafeValues(form);
  if (faults.length > 0) throw new ValidationError(faults);
  return form;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch (cause) {
    throw new DomainError('malformed_json', 'The body is not valid JSON in UTF-8.', { cause });
  }
}
