import { searchDamaged } from '../../src/database/dialect/database-error.js';
import { SearchIndex } from '../../src/search/search-index.js';
import type { Answer } from './errors.js';
import type { TestApp } from './test-app.js';

/** A search of a damaged index. The tests with one that is there are in `damaged-index.e2e-spec.ts`. */
export function withoutSearch(service: TestApp): PromiseLike<Answer> {
  jest
    .spyOn(service.app.get(SearchIndex, { strict: false }), 'search')
    .mockRejectedValue(searchDamaged(new Error('damaged')));
  return service.http().get('/api/cms/search?q=x');
}
