import { invalidQuery, requireKnown } from './http/url-query.js';

/** Which part of a list a client asks for. */
export interface PageQuery {
  /** From 1. */
  readonly page: number;
  /** From 1, up to the limit of the list. */
  readonly perPage: number;
}

/** How much of a list a page has by default, and at most. */
const PAGE_SIZE = { usual: 15, most: 100 };

/**
 * `page` and `per_page` of a query. A `per_page` above the maximum is clamped, since the client can see that in `meta`.
 *
 * @throws {DomainError} `invalid_query`: not a whole number from 1
 */
export function pageQuery(query: URLSearchParams, { usual, most } = PAGE_SIZE): PageQuery {
  return {
    page: wholeNumber(query, 'page', 1),
    perPage: Math.min(wholeNumber(query, 'per_page', usual), most),
  };
}

/**
 * `page` and `per_page` of a query that has nothing else.
 *
 * @throws {DomainError} `invalid_query`
 */
export function onlyPageQuery(query: URLSearchParams, sizes = PAGE_SIZE): PageQuery {
  requireKnown(query, ['page', 'per_page']);
  return pageQuery(query, sizes);
}

function wholeNumber(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^0*[1-9]\d{0,14}$/.test(text)) throw invalidQuery(name, 'integer', `${name} must be a whole number from 1.`);
  return Number(text);
}
