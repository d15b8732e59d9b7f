import { aDocument as document, openSearch, type OpenSearch } from '../../test/support/open-search.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { STATUSES, type Status } from '../content-types/definition/content-type.js';
import type { SearchRequest } from './search-index.js';
import { termsOf } from '../../test/support/terms.js';
import { parseQuery } from './text/queries/query.js';

const MANY = 1_600;

/** What every index has to do, on whatever database the tests run on. */
describe('A search index', () => {
  let database: TestDatabase;
  let own: OpenSearch;

  beforeAll(async () => {
    database = await createTestDatabase();
    own = await openSearch(database);
  });

  afterAll(async () => {
    await own.close();
    await database.drop();
  });

  const put: OpenSearch['put'] = (...documents) => own.put(...documents);
  const search = (q: string, request: Partial<SearchRequest> = {}) =>
    own.index.search({
      query: parseQuery(q),
      within: [{ typeId: 1, statuses: STATUSES }],
      offset: 0,
      limit: 15,
      ...request,
    });
  const ids = async (q: string, request: Partial<SearchRequest> = {}): Promise<number[]> =>
    (await search(q, request)).hits.map(({ id }) => id).sort((a, b) => a - b);

  it('finds what was put into it, and no more what was put in its place', async () => {
    await put(document(1, 'first words'), document(2, 'second words'));
    await put(document(1, 'other words'));

    expect([await ids('first'), await ids('other'), await ids('words')]).toEqual([[], [1], [1, 2]]);
  });

  it('forgets what was removed', async () => {
    await put(document(3, 'short lived'));
    await own.remove(3);

    expect(await search('lived')).toEqual({ total: 0, hits: [] });
  });

  it('takes changes of one record within a unit in their order, whatever its status is', async () => {
    await own.units.run(async (manager) => {
      await own.index.upsert(manager, [document(9, 'zebra'), document(5, 'ox')]);
      await own.index.upsert(manager, [{ ...document(9, 'yak'), status: 'draft' }, document(6, 'gnu')]);
      await own.index.remove(manager, [{ id: 6, typeId: 1 }]);
      await own.index.upsert(manager, [document(9, 'kudu')]);
    });
    const found: number[][] = [];
    for (const q of ['zebra', 'yak', 'kudu', 'ox', 'gnu']) found.push(await ids(q));
    expect(found).toEqual([[], [], [9], [5], []]);

    await own.remove(9, 5);
    expect([await ids('kudu'), await ids('ox')]).toEqual([[], []]);
  });

  it('shows nothing of a unit of work that came to nothing', async () => {
    const failing = own.units.run(async (manager) => {
      await own.index.upsert(manager, [document(4, 'undone')]);
      throw new Error('undone');
    });

    await expect(failing).rejects.toThrow('undone');
    expect(await ids('undone')).toEqual([]);
  });

  it('follows a change of the status, and keeps to types and statuses', async () => {
    await put(document(5, 'scoped', { status: 'draft' }), document(6, 'scoped', { typeId: 2 }));
    await put(document(5, 'scoped', { status: 'archived' }));
    const within = (typeId: number, ...statuses: Status[]) => ids('scoped', { within: [{ typeId, statuses }] });

    expect([await within(1, 'draft'), await within(1, 'archived'), await within(2, 'published')]).toEqual([
      [],
      [5],
      [6],
    ]);
    expect(await ids('scoped', { within: [] })).toEqual([]);
  });

  it('makes documents the only ones of a type in a range', async () => {
    await put(document(20, 'ranged'), document(21, 'ranged', { status: 'draft' }), document(22, 'ranged'));
    await put(document(23, 'ranged', { typeId: 2 }), document(30, 'ranged'));

    await own.units.run((manager) =>
      own.index.replace(manager, 1, { after: 19, upTo: 25 }, [document(22, 'ranged anew')]),
    );

    expect(await ids('ranged', { within: [1, 2].map((typeId) => ({ typeId, statuses: STATUSES })) })).toEqual([
      22, 23, 30,
    ]);
    expect(await ids('anew')).toEqual([22]);
  });

  it('puts title before terms before body', async () => {
    await put(
      document(40, 'comet comet comet comet comet comet comet comet'),
      document(41, 'nothing', { terms: termsOf('Comet') }),
      document(42, 'nothing', { title: termsOf('The comet') }),
    );

    const { hits } = await search('comet');

    expect(hits.map(({ id }) => id)).toEqual([42, 41, 40]);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
  });

  it('puts more occurrences before fewer, shorter texts before longer ones, and all words before one of them often', async () => {
    const filler = 'filler '.repeat(400);
    await put(
      document(60, `nova ${'pulsar '.repeat(40)}`),
      document(61, `${'nova '.repeat(2)} short ${'nova pulsar '.repeat(3)}`),
      document(62, `nova pulsar ${filler}`),
      document(63, `nova and a pulsar`),
    );
    const order = async (q: string): Promise<number[]> => (await search(q)).hits.map(({ id }) => id);

    expect(await order('"nova" pulsar')).toEqual([61, 60, 63, 62]);
    expect(await order('nova')).toEqual([61, 63, 60, 62]);
    expect(await order('"nova pulsar"')).toEqual([61, 60, 62]);
  });

  it('pages through very many hits without repeating or losing one, and counts them exactly', async () => {
    const statuses: Status[] = ['published', 'draft'];
    const many = Array.from({ length: MANY }, (_, n) =>
      document(1_000 + n, n % 3 === 0 ? 'plenty and more of it' : 'plenty', {
        status: statuses[n % 2] ?? 'published',
        ...(n % 100 === 0 ? { title: termsOf('Plenty') } : {}),
      }),
    );
    for (let start = 0; start < MANY; start += 200) await put(...many.slice(start, start + 200));

    const seen: number[] = [];
    for (let offset = 0; offset < MANY; offset += 100) {
      const { total, hits } = await search('plenty', { offset, limit: 100 });
      expect(total).toBe(MANY);
      seen.push(...hits.map(({ id }) => id));
    }

    expect(seen).toHaveLength(MANY);
    expect(new Set(seen).size).toBe(MANY);
    expect((await search('plenty', { offset: MANY })).hits).toEqual([]);
    expect((await search('plenty', { within: [{ typeId: 1, statuses: ['draft'] }] })).total).toBe(MANY / 2);
  });

  it('counts hits by type and status, also those that the search itself leaves out', async () => {
    await put(
      document(300, 'almanac'),
      document(301, 'almanac', { status: 'draft' }),
      document(302, 'almanac', { typeId: 2 }),
      document(303, 'almanac', { typeId: 3 }),
    );
    const countedIn = [1, 2].map((typeId) => ({ typeId, statuses: STATUSES }));

    const { total, counts = [] } = await search('alma', { countedIn });

    expect(total).toBe(2);
    expect(counts.toSorted((a, b) => a.typeId - b.typeId || b.status.localeCompare(a.status))).toEqual([
      { typeId: 1, status: 'published', n: 1 },
      { typeId: 1, status: 'draft', n: 1 },
      { typeId: 2, status: 'published', n: 1 },
    ]);
    expect((await search('nowhere', { countedIn })).counts).toEqual([]);
    expect(await search('almanac')).not.toHaveProperty('counts');
  });

  it('answers a quick search by the youngest with the words in the title, if very many have them there', async () => {
    const titled = Array.from({ length: 250 }, (_, n) => document(10_000 + n, 'x', { title: termsOf('Gizmos') }));
    await put(...titled);
    await put(...Array.from({ length: 50 }, (_, n) => document(10_300 + n, 'gizmos')));

    const { hits } = await search('giz', { isQuick: true, limit: 3 });

    expect(hits.map(({ id }) => id)).toEqual([10_249, 10_248, 10_247]);
    expect((await search('"nova pulsar"', { isQuick: true })).hits.map(({ id }) => id)).toEqual([61, 60, 62]);
  });

  it('counts anew after every change', async () => {
    await put(document(50, 'tally'));
    expect((await search('tally')).total).toBe(1);
    await put(document(51, 'tally'));
    expect((await search('tally')).total).toBe(2);
    await own.remove(50);
    expect((await search('tally')).total).toBe(1);
  });
});
