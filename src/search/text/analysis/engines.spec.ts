import fc from 'fast-check';
import { waitFor } from '../../../../test/support/mailbox.js';
import { openSearchEngine, type SearchEngine } from '../../../../test/support/search-engine.js';
import { DOCUMENTS, indexColumns, matches, QUERIES } from '../../../../test/support/search-fixture.js';
import { anyText } from '../../../../test/support/texts.js';
import { termsOf } from '../../../../test/support/terms.js';
import { analyze } from './analyzer.js';
import { parseQuery, type SearchQuery } from '../queries/query.js';

/** All letters of the scripts that have an alphabet, and some of each of the others. */
const LETTERS = Array.from({ length: 0x40000 }, (_, code) => code)
  .filter((code) => code < 0x3000 || (code % 41 === 0 && (code < 0xd800 || code > 0xdfff)))
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\p{L}\p{N}\p{M}\p{S}]/u.test(character));

/** What users type who know some engine's language, or none. */
const anyQuery = fc.oneof(
  fc.string({ maxLength: 30 }),
  anyText,
  fc
    .array(
      fc.constantFrom(
        ...['"', '-', '+', '*', '(', ')', '~', '<', '>', '@', '^', ':', '{', '}', "'", '\\', '%', ' ', '  ', '\u0000'],
        ...[
          ' AND ',
          ' OR ',
          ' NOT ',
          'NEAR(a b, 2)',
          'body:',
          '--',
          '/*',
          ';',
          '@5',
          'stone',
          'st',
          "o'r",
          '検',
          '天気',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

describe('the fixture', () => {
  let engine: SearchEngine;
  const columns = DOCUMENTS.map(indexColumns);

  beforeAll(async () => {
    engine = await openSearchEngine();
    await engine.add(columns);
  });
  afterAll(() => engine.close());

  /** What should be found, by the rules and not by an engine. */
  const expected = (query: SearchQuery) => columns.flatMap((row, i) => (matches(query, row) ? [i + 1] : []));
  const slugs = (ids: readonly number[]) => ids.map((id) => DOCUMENTS[id - 1]?.slug).sort();

  it.each(QUERIES)('finds by $q: $note', async ({ q, expect: found }) => {
    const query = parseQuery(q);

    expect(slugs(expected(query))).toEqual([...found].sort());
    expect(slugs(await engine.find(query))).toEqual([...found].sort());
  });

  it('is answered by the engine as the rules have it, whatever a user types', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, async (q) => {
        const query = parseQuery(q);

        expect(await engine.find(query)).toEqual(expected(query));
      }),
      { numRuns: 400 },
    );
  });
});

describe('the engine', () => {
  let engine: SearchEngine;

  beforeEach(async () => {
    engine = await openSearchEngine();
  });
  afterEach(() => engine.close());

  const termQuery = (term: string): SearchQuery => ({
    clauses: [{ kind: 'term', term, isPrefix: false }],
    excluded: [],
    isEmpty: false,
  });

  /** InnoDB loses sight of a new word while it writes its cache out; the adapter makes up for that. */
  const findSoon = (term: string, id: number): Promise<number[]> =>
    waitFor(async () => {
      const found = await engine.find(termQuery(term));
      return found.includes(id) ? found : null;
    }, `${id} by ${term}`);

  it('keeps every letter of Unicode as it is', async () => {
    const terms = [...new Set(LETTERS.flatMap((letter) => analyze(`zz${letter}zz`).map(({ term }) => term)))];
    await engine.add(terms.map((term) => [term, '', '']));

    for (const [i, term] of terms.entries()) {
      if (i % 5 === 0) expect([term, await findSoon(term, i + 1)]).toEqual([term, [i + 1]]);
    }
  });

  it('finds a text by each of its words', async () => {
    const texts = fc.sample(anyText, { numRuns: 60, seed: 11 });
    await engine.add(texts.map((text) => [termsOf(text), '', '']));

    for (const [i, text] of texts.entries()) {
      for (const { term } of analyze(text)) expect(await findSoon(term, i + 1)).toContain(i + 1);
    }
  });
});
