import { invalidQuery, requireKnown } from '../../common/http/url-query.js';

/**
 * The token in the address of a link.
 *
 * @throws {DomainError} `invalid_query`
 */
export function linkToken(query: URLSearchParams): string {
  requireKnown(query, (name) => name === 'token');
  const token = query.get('token');
  if (token === null) throw invalidQuery('token', 'required', 'token is missing. Open the whole link of the mail.');
  return token;
}
