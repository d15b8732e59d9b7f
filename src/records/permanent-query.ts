import { invalidQuery, requireKnown } from '../common/http/url-query.js';

/** `?permanent=true` of a deletion. */
export function isPermanent(query: URLSearchParams): boolean {
  requireKnown(query, (name) => name === 'permanent');
  const text = query.get('permanent') ?? 'false';
  if (text !== 'true' && text !== 'false')
    throw invalidQuery('permanent', 'boolean', 'permanent must be true or false.');
  return text === 'true';
}
