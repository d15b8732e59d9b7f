import { aDocument, openSearch, type OpenSearch } from '../support/open-search.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Documents that were changed lately are looked at; the others are asked of the index. */
const MORE_THAN_LATELY = 1_000;

describe('Very common words', () => {
  let database: TestDatabase;
  let search: OpenSearch;

  beforeAll(async () => {
    database = await createTestDatabase();
    search = await openSearch(database);
    const others = Array.from({ length: MORE_THAN_LATELY }, (_, n) => aDocument(n + 3, 'something else'));
    await search.put(aDocument(1, 'all about the www'), aDocument(2, 'of herons'), ...others);
  });

  afterAll(async () => {
    await search.close();
    await database.drop();
  });

  const found = async (q: string) => (await search.find(q)).hits.map(({ id }) => id);

  it('are found before and after the index was made anew', async () => {
    for (const isRebuilt of [false, true]) {
      if (isRebuilt && database.address.kind === 'server') {
        await search.units.run((manager) => manager.query('OPTIMIZE TABLE search_documents'));
      }
      for (const q of ['about', '"about"', '"about the www"', 'ab', 'herons -about', '"www"']) {
        expect([isRebuilt, q, await found(q)]).toEqual([isRebuilt, q, [q.startsWith('herons') ? 2 : 1]]);
      }
    }
  });
});
