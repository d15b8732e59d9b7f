import {
  createParamDecorator,
  Injectable,
  type CanActivate,
  type ExecutionContext,
  applyDecorators,
} from '@nestjs/common';
import { Transform, type TransformFnParams } from 'class-transformer';
import type { Request } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import type { OpenAPIV3_1 } from 'openapi-types';
import { IsString } from '../../common/dto-rules.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { isForm } from '../../common/http/body/unread-body.js';
import { asksFor } from '../../common/http/preference.js';
import { invalidQuery } from '../../common/http/url-query.js';
import { Described } from '../../common/openapi/body.js';
import { Settings } from '../../config/settings.js';

/** Argument of a handler: true if a form is answered with a page, as it is unless JSON is asked for. */
export const IsForm = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const request = context.switchToHttp().getRequest<Request>();
  return isForm(request) && asksFor(request) !== 'json';
});

/**
 * Takes forms of our own pages only: the page of another site could sign a visitor in to an account of its owner. Pages
 * with a form state their origin (see `PageHeaders`); `null` is that of a page which hides it.
 */
@Injectable()
export class OwnFormGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  /** @throws {DomainError} `csrf_rejected` */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!isForm(request) || this.isOwn(request.headers)) return true;
    throw new DomainError('csrf_rejected', 'This form was posted by another page. Open the link of the mail again.');
  }

  /** An older browser says nothing of the site, but names the origin of the page. A program names neither. */
  private isOwn({ 'sec-fetch-site': site, origin }: IncomingHttpHeaders): boolean {
    if (site !== undefined) return site === 'same-origin';
    return origin === undefined || origin === this.settings.publicUrl;
  }
}

/** The token in the address of a link, to which other services may add parameters. @throws {DomainError} `invalid_query` */
export function linkToken(query: URLSearchParams): string {
  const [token, ...others] = query.getAll('token').map((text) => text.trim());
  if (others.length > 0) throw invalidQuery('token', 'repeated', 'token is sent more than once. Open the link again.');
  if (!token) throw invalidQuery('token', 'required', 'token is missing. Open the whole link of the mail.');
  return token;
}

const LINK_TOKEN: OpenAPIV3_1.SchemaObject = {
  type: 'string',
  description: 'Out of the link; white space around it is passed over.',
  pattern: '^\\s*[A-Za-z0-9_-]{43}\\s*$',
};

/** The token of a link in a body, without the white space that was copied along. */
export const IsLinkToken = () =>
  applyDecorators(
    Described(LINK_TOKEN, true),
    Transform(({ value }: TransformFnParams): unknown =>
      typeof value === 'string' ? value.trim() : (value as unknown),
    ),
    IsString({ message: 'token must be a string.' }),
  );
