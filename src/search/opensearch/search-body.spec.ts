import fc from 'fast-check';
import { StoredIndex } from '../../../test/support/opensearch/stored-index.js';
import { DOCUMENTS, indexColumns, QUERIES } from '../../../test/support/search-fixture.js';
import { anyText } from '../../../test/support/texts.js';
import { STATUSES } from '../../content-types/definition/content-type.js';
import { indexText } from '../text/analysis/analyzer.js';
import { matches } from '../text/queries/matches.js';
import { parseQuery } from '../text/queries/query.js';
import { DEFINITION } from './definition.js';
import { searchBody } from './search-body.js';

const MOST_CHARACTERS = 256;
const WITHIN = [{ typeId: 1, statuses: STATUSES }];
const PARTS = ['"', '-', "o'r", "st o'reilly", ' ', ' ', 'stone', 'st', 'wi-fi', '検', '検索', '天気予', 'x-a', 'C++'];

const anyQuery = fc.oneof(
  anyText,
  fc.array(fc.constantFrom(...PARTS), { maxLength: 10 }).map((parts) => parts.join('')),
);

describe('A search of OpenSearch', () => {
  let index: StoredIndex;
  const columns = DOCUMENTS.map(indexColumns);

  beforeAll(() => {
    index = new StoredIndex('cms-1', DEFINITION);
    for (const [n, [title, terms, body]] of columns.entries()) put(n + 1, { title, terms, body });
    index.refresh();
  });

  afterAll(() => {
    index.close();
  });

  function put(id: number, texts: { title: string; terms: string; body: string }): void {
    index.put(String(id), {}, { id, type_id: 1, status: 'published', sort_at: id, ...texts });
  }

  const asked = (q: string, limit = 100) =>
    index.search(searchBody({ query: parseQuery(q), within: WITHIN, offset: 0, limit }));
  /** An index that is asked for nothing does not ask for anything. */
  const found = (q: string): number[] => (parseQuery(q).isEmpty ? [] : asked(q).hits.map(({ id }) => Number(id)));
  const expected = (q: string): number[] => columns.flatMap((row, n) => (matches(parseQuery(q), row) ? [n + 1] : []));

  it.each(QUERIES)('finds by $q: $note', ({ q, expect: slugs, first, order }) => {
    const ids = found(q);
    const hits = ids.map((id) => DOCUMENTS[id - 1]?.slug);

    expect(hits.toSorted()).toEqual(slugs.toSorted());
    if (first !== undefined) expect(hits[0]).toBe(first);
    if (order !== undefined) expect(hits).toEqual(order);
  });

  it('finds what the rules have it find, whatever a user types', () => {
    fc.assert(
      fc.property(anyQuery, (q) => {
        if (parseQuery(q).isEmpty) return;

        expect(found(q).toSorted((a, b) => a - b)).toEqual(expected(q));
        expect(asked(q, 0).total).toBe(expected(q).length);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['words of one letter', 'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9 ä ö ü é'],
    ['words with apostrophes', "a'b c'd e'f g'h i'j k'l m'n o'p q'r s't u'v w'x y'z"],
    ['a run of characters without a blank', '検索天気予報'],
    ['words that are excluded', '-a -b -c -d -e -f -g'],
  ])('asks no more of OpenSearch than it takes at once: %s', (_, part) => {
    let n = 0;
    // Words that are all different, as many as a query has room for.
    const words = Array.from({ length: 20 }, () => part.replace(/[^\s'-]+/gu, (word) => `${word}${(n += 1) % 7}`)).join(
      ' ',
    );

    expect(() => asked(`x ${words.slice(0, MOST_CHARACTERS - 2)}`)).not.toThrow();
  });

  it('has scores of the hit alone: parts in the title, then in the terms, then how often they stand there', () => {
    const scores = new StoredIndex('cms-2', DEFINITION);
    const text = { title: indexText('Untitled'), terms: '', body: indexText('comet and star') };
    const store = (id: number, texts: object, status = 'published'): void => {
      scores.put(String(id), {}, { id, type_id: 1, status, sort_at: id, ...text, ...texts });
    };
    store(1, { body: indexText('comet star '.repeat(40)) });
    store(2, { terms: indexText('Comet') });
    store(3, { title: indexText('The comet') });
    store(4, { title: indexText('A comet and a star') });
    const ask = () => {
      scores.refresh();
      const within = [{ typeId: 1, statuses: ['published'] as const }];
      return scores.search(searchBody({ query: parseQuery('comet star'), within, offset: 0, limit: 9 })).hits;
    };
    const before = ask();

    for (let id = 10; id < 60; id += 1) store(id, { body: indexText('star '.repeat(id)) }, 'draft');

    expect(before.map(({ id }) => id)).toEqual(['4', '3', '2', '1']);
    expect(before.map(({ score }) => Math.floor(score))).toEqual([8, 4, 1, 0]);
    expect(ask()).toEqual(before);
    scores.close();
  });
});
