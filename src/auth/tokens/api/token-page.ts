import { requireKnown } from '../../../common/http/url-query.js';
import { pageQuery, type PageQuery } from '../../../common/page-query.js';

/** @throws {DomainError} `invalid_query`: anything but a good `page` and `per_page` */
export function tokenPage(query: URLSearchParams): PageQuery {
  requireKnown(query, (name) => name === 'page' || name === 'per_page');
  return pageQuery(query);
}
