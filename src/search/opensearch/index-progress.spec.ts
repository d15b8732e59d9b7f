import type { OpenSearch } from '../../../test/support/open-search.js';
import { documents, searchSuite } from '../../../test/support/search-processes.js';
import { MOST_CHANGES_COUNTED, type DerivedIndexReport } from '../../common/derived-indexes.js';
import { DerivedSearchIndex } from '../derived-search-index.js';

describe('The report on an index of OpenSearch', () => {
  const suite = searchSuite({ documents: [1, 3, 'first'] });

  function reportOf({ index }: OpenSearch): Promise<DerivedIndexReport> {
    if (!(index instanceof DerivedSearchIndex)) throw new Error('OpenSearch is not searched.');
    return index.report();
  }

  /** Of a process that has not looked yet. */
  const report = async (): Promise<DerivedIndexReport> => reportOf(await suite.all.open());

  const none = { name: 'opensearch', reason: null, changesBehind: null, oldestSeconds: null };

  it('says that it is built, and when it is ready', async () => {
    expect(await report()).toEqual({ ...none, state: 'building' });
    await suite.one.settle();

    expect(await report()).toEqual({ ...none, state: 'ready', changesBehind: 0, oldestSeconds: 0 });
  });

  it('counts what it lacks, and says how old the oldest of it is', async () => {
    await suite.one.settle();
    await suite.one.put(...documents(4, 5, 'second'));
    expect(await report()).toMatchObject({ state: 'ready', changesBehind: 2 });
    await suite.one.units.run((manager) => manager.query<unknown>('UPDATE search_changes SET at = at - 120000'));

    const { oldestSeconds, ...late } = await report();

    expect(late).toMatchObject({ state: 'behind', changesBehind: 2 });
    expect(oldestSeconds).toBeGreaterThanOrEqual(120);
  });

  it('goes through so many changes and no more', async () => {
    await suite.one.settle();
    const values = Array.from({ length: MOST_CHANGES_COUNTED / 2 + 1 }, () => '(3, 1000)').join();
    const sql = `INSERT INTO search_changes (record_id, at) VALUES ${values}`;
    for (const _ of [1, 2]) await suite.one.units.run((manager) => manager.query<unknown>(sql));

    expect((await report()).changesBehind).toBe(MOST_CHANGES_COUNTED);
  });

  it('says that OpenSearch does not answer, and what it lacked when it last did', async () => {
    await suite.one.settle();
    const [seen, unseen] = [await suite.all.open(), await suite.all.open()];
    expect(await reportOf(seen)).toMatchObject({ state: 'ready' });
    await suite.all.double.away();
    await suite.one.put(...documents(4, 4, 'second'));
    const now = performance.now.bind(performance);
    // It looks once a second.
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 1_001);

    expect(await reportOf(seen)).toMatchObject({ state: 'unreachable', changesBehind: 1 });
    clock.mockRestore();
    expect(await reportOf(unseen)).toEqual({ ...none, state: 'unreachable' });
  });

  it('says within two seconds that OpenSearch hangs, as metrics wait for no longer', async () => {
    await suite.one.settle();
    suite.all.double.behave = () => 'hang';
    const process = await suite.all.open();
    const startedAt = performance.now();

    expect(await reportOf(process)).toEqual({ ...none, state: 'unreachable' });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('says that another database has the name', async () => {
    await suite.one.settle();
    await suite.one.identity.renew();

    expect(await report()).toEqual({ ...none, state: 'refused', reason: 'other_database' });
  });
});
