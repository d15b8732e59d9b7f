import { aDocument, openSearch, type OpenSearch } from '../../test/support/open-search.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import type { SearchDocument, SearchResult } from './search-index.js';
import { termsOf } from '../../test/support/terms.js';
import { parseQuery } from './text/queries/query.js';

/** One word, two, a beginning of both, words side by side, a word with a joined form, and words that none may have. */
const QUERIES = ['apple', '"pear"', 'apple pear', 'pear apple', '"apple pear"', "o'reilly pear", 'apple pear -plum'];
const HIDDEN = 40;

const words = (word: string, times: number): string => `${word} `.repeat(times);

describe('Scores and order of a search index', () => {
  let database: TestDatabase;
  let own: OpenSearch;

  beforeEach(async () => {
    database = await createTestDatabase();
    own = await openSearch(database);
    await own.put(
      aDocument(1, `${words('apple', 8)} pear ${words('filler', 10)}`),
      aDocument(2, `apple ${words('pear', 8)} ${words('filler', 10)}`),
      aDocument(3, `apple pear O'Reilly ${words('filler', 200)}`),
      aDocument(4, `pear and O'Reilly, oreilly`, { title: termsOf('apple'), terms: termsOf('pear') }),
      ...Array.from({ length: 20 }, (_, n) => aDocument(10 + n, 'other words here')),
    );
  });

  afterEach(async () => {
    await own.close();
    await database.drop();
  });

  /** What a caller sees who may read what is published of type 1. */
  const seen = (): Promise<SearchResult[]> =>
    Promise.all(
      QUERIES.map((q) =>
        own.index.search({
          query: parseQuery(q),
          within: [{ typeId: 1, statuses: ['published'] }],
          offset: 0,
          limit: 15,
        }),
      ),
    );

  it.each<[string, string, Partial<SearchDocument>]>([
    ['drafts with one of the words', 'pear', { status: 'draft' }],
    ['drafts with the other word', words('apple', 30), { status: 'draft' }],
    ['long drafts without the words', words('filler', 2_000), { status: 'draft' }],
    ['archived records with all words', "apple pear O'Reilly", { status: 'archived' }],
    ['records of a type that may not be read', words('pear', 3), { typeId: 2 }],
  ])('are the same after %s', async (_, body, parts) => {
    const before = await seen();

    for (let n = 0; n < HIDDEN; n += 1) {
      await own.put(aDocument(100 + n, body, parts));
      if (n === 0) expect(await seen()).toEqual(before);
    }
    // Another process remembers no answer of before.
    await own.close();
    own = await openSearch(database);

    expect(await seen()).toEqual(before);
    expect(before.map(({ total }) => total)).toEqual([4, 4, 4, 4, 3, 2, 4]);
  });
});
