import { SearchIndex } from '../../src/search/search-index.js';
import { searchUnavailable } from '../../src/search/opensearch/search-unavailable.js';
import type { Answer } from './errors.js';
import type { TestApp } from './test-app.js';

/** A search while OpenSearch does not answer. The tests with one that is there are in `opensearch.e2e-spec.ts`. */
export function withoutSearch(service: TestApp): PromiseLike<Answer> {
  jest.spyOn(service.app.get(SearchIndex, { strict: false }), 'search').mockRejectedValue(searchUnavailable());
  return service.http().get('/api/cms/search?q=x');
}
