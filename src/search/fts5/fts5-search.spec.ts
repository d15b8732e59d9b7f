import { openSearch, type OpenSearch } from '../../../test/support/open-search.js';
import { createTestFile, type TestDatabase } from '../../../test/support/test-database.js';
import { rowId } from './row-ids.js';

const ALL = 100_400;
/** Every so many-th document has the word in its title too. */
const TITLED = 1_000;
const PAGE = 5_000;

describe('A search with more hits than can be ranked', () => {
  let database: TestDatabase;
  let search: OpenSearch;

  beforeAll(async () => {
    database = createTestFile();
    search = await openSearch(database);
    await search.units.run((manager) =>
      manager.query(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ALL})
         INSERT INTO search_index (rowid, title, terms, body)
         SELECT ? + i, CASE WHEN i % ${TITLED} = 0 THEN 'plenty' ELSE 'title' END, '', 'plenty' FROM n`,
        [rowId(1, 'published', 0)],
      ),
    );
  });

  afterAll(async () => {
    await search.close();
    await database.drop();
  });

  it('counts all, puts titles first and then the youngest', async () => {
    const titles = Array.from({ length: Math.floor(ALL / TITLED) }, (_, n) => (n + 1) * TITLED).reverse();

    const { total, hits } = await search.find('plenty', { limit: titles.length + 3 });

    expect(total).toBe(ALL);
    // All others follow by age, and those that were listed before are not listed again.
    expect(hits.map(({ id }) => id)).toEqual([...titles, ALL, ALL - 1, ALL - 2]);
    expect(hits.map(({ score }) => score > 0)).toEqual([...titles.map(() => true), false, false, false]);
  });

  it('neither repeats nor loses a hit on any page', async () => {
    const seen: number[] = [];
    for (let offset = 0; offset < ALL; offset += PAGE) {
      seen.push(...(await search.find('plenty', { offset, limit: PAGE })).hits.map(({ id }) => id));
    }

    expect(seen).toHaveLength(ALL);
    expect(new Set(seen).size).toBe(ALL);
    expect((await search.find('plenty', { offset: ALL })).hits).toEqual([]);
  });
});
