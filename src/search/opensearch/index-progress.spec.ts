import type { OpenSearch } from '../../../test/support/open-search.js';
import { documents, SearchProcesses } from '../../../test/support/search-processes.js';
import { MOST_CHANGES_COUNTED, type DerivedIndexReport } from '../../common/derived-indexes.js';
import { DerivedSearchIndex } from '../derived-search-index.js';

describe('The report on an index of OpenSearch', () => {
  let all: SearchProcesses;
  let one: OpenSearch;

  beforeEach(async () => {
    all = await SearchProcesses.begin();
    one = await all.open();
    await one.put(...documents(1, 3, 'first'));
  });

  afterEach(() => all.end());

  function reportOf({ index }: OpenSearch): Promise<DerivedIndexReport> {
    if (!(index instanceof DerivedSearchIndex)) throw new Error('OpenSearch is not searched.');
    return index.report();
  }

  /** Of a process that has not looked yet. */
  const report = async (): Promise<DerivedIndexReport> => reportOf(await all.open());

  const none = { name: 'opensearch', reason: null, changesBehind: null, oldestSeconds: null };

  it('says that it is built, and when it is ready', async () => {
    expect(await report()).toEqual({ ...none, state: 'building' });
    await one.settle();

    expect(await report()).toEqual({ ...none, state: 'ready', changesBehind: 0, oldestSeconds: 0 });
  });

  it('counts what it lacks, and says how old the oldest of it is', async () => {
    await one.settle();
    await one.put(...documents(4, 5, 'second'));
    expect(await report()).toMatchObject({ state: 'ready', changesBehind: 2 });
    await one.units.run((manager) => manager.query<unknown>('UPDATE search_changes SET at = at - 120000'));

    const { oldestSeconds, ...late } = await report();

    expect(late).toMatchObject({ state: 'behind', changesBehind: 2 });
    expect(oldestSeconds).toBeGreaterThanOrEqual(120);
  });

  it('goes through so many changes and no more', async () => {
    await one.settle();
    const values = Array.from({ length: MOST_CHANGES_COUNTED / 2 + 1 }, () => '(3, 1000)').join();
    const sql = `INSERT INTO search_changes (record_id, at) VALUES ${values}`;
    for (const _ of [1, 2]) await one.units.run((manager) => manager.query<unknown>(sql));

    expect((await report()).changesBehind).toBe(MOST_CHANGES_COUNTED);
  });

  it('says that OpenSearch does not answer, and what it lacked when it last did', async () => {
    await one.settle();
    const [seen, unseen] = [await all.open(), await all.open()];
    expect(await reportOf(seen)).toMatchObject({ state: 'ready' });
    await all.double.away();
    await one.put(...documents(4, 4, 'second'));
    const now = performance.now.bind(performance);
    // It looks once a second.
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 1_001);

    expect(await reportOf(seen)).toMatchObject({ state: 'unreachable', changesBehind: 1 });
    clock.mockRestore();
    expect(await reportOf(unseen)).toEqual({ ...none, state: 'unreachable' });
  });

  it('says that another database has the name', async () => {
    await one.settle();
    await one.identity.renew();

    expect(await report()).toEqual({ ...none, state: 'refused', reason: 'other_database' });
  });
});
