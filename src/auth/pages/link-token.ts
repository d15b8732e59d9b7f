import { applyDecorators } from '@nestjs/common';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsString } from '../../common/dto-rules.js';
import { invalidQuery } from '../../common/http/url-query.js';

/**
 * The token in the address of a link. Services that mail and those that count visits add parameters of their own, which are
 * passed over.
 *
 * @throws {DomainError} `invalid_query`
 */
export function linkToken(query: URLSearchParams): string {
  const [token, ...others] = query.getAll('token').map((text) => text.trim());
  if (others.length > 0) throw invalidQuery('token', 'repeated', 'token is sent more than once. Open the link again.');
  if (!token) throw invalidQuery('token', 'required', 'token is missing. Open the whole link of the mail.');
  return token;
}

/** The token of a link in a body, without the white space that was copied along. */
export const IsLinkToken = () =>
  applyDecorators(
    Transform(({ value }: TransformFnParams): unknown =>
      typeof value === 'string' ? value.trim() : (value as unknown),
    ),
    IsString({ message: 'token must be a string.' }),
  );
