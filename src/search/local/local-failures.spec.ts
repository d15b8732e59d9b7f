import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { aDocument, openSearch, type OpenSearch } from '../../../test/support/open-search.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { WatchedReads } from '../../../test/support/watched-reads.js';
import type { Reads } from '../../database/statements/reads.js';
import { LocalSearchIndex } from './local-search-index.js';

const BUILDING = 'building the local search index';
const GIVEN_UP = 'the local search index is given up; the database is searched';
const READY = 'the local search index is ready';

interface Unstarted {
  readonly one: OpenSearch;
  readonly index: LocalSearchIndex;
  readonly reads: WatchedReads;
  readonly reader: DataSource;
}

describe('A search index in a file of the process, when something fails,', () => {
  let database: TestDatabase;
  let folder: string;
  let opened: OpenSearch[];

  beforeEach(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'cms-search-'));
    opened = [];
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(opened.map((one) => one.close()));
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** One process that takes over changes when it is asked to. */
  async function unstarted(): Promise<Unstarted> {
    const made: Pick<Unstarted, 'reads' | 'reader'>[] = [];
    const readsOf = (reader: DataSource): Reads => {
      const reads = new WatchedReads(reader);
      made.push({ reads, reader });
      return reads;
    };
    const one = await openSearch(database, { folder, readsOf, isStarted: false });
    opened.push(one);
    const [watched] = made;
    if (!watched || !(one.index instanceof LocalSearchIndex)) throw new Error('There is no local index.');
    return { one, index: one.index, ...watched };
  }

  /** Has documents for the local file read from the state that the database is in now. */
  async function lag(reads: WatchedReads, reader: DataSource): Promise<() => Promise<void>> {
    const runner = reader.createQueryRunner();
    await runner.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await runner.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    reads.intercept = (sql, values, read) =>
      /status, \S*sort_at|AS bytes/.test(sql) ? runner.query(sql, [...values]) : read();
    return async () => {
      reads.intercept = null;
      await runner.query('ROLLBACK');
      await runner.release();
    };
  }

  const isLocal = ({ index }: OpenSearch): boolean => index instanceof LocalSearchIndex && index.isReady;
  const idsOf = async (one: OpenSearch, q: string): Promise<number[]> =>
    (await one.find(q)).hits.map(({ id }) => id).sort((a, b) => a - b);

  it('stays dropped when a search finds it damaged while changes are taken over', async () => {
    const { one, index, reads } = await unstarted();
    await one.put(aDocument(1, 'first'));
    await index.maintain();
    expect(index.isReady).toBe(true);
    const garbage = Buffer.alloc(40_960, 0x5a);
    for (const end of ['', '-wal']) await writeFile(join(folder, `1.sqlite${end}`), garbage);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let asked = 0;
    const maintained: Promise<void>[] = [];
    reads.intercept = async (sql, _, read) => {
      if (!sql.includes('FROM search_changes')) return read();
      asked += 1;
      // The search has what was changed; what follows it waits until the search has failed.
      if (asked === 1) maintained.push(index.maintain());
      if (asked === 2) await released;
      return read();
    };

    expect(await idsOf(one, 'first')).toEqual([1]);
    release();
    await Promise.all(maintained);

    expect([maintained.length, index.isReady]).toEqual([1, false]);
  });

  it('waits while documents are read from an older state than their changes', async () => {
    const { one, index, reads, reader } = await unstarted();
    await one.put(aDocument(1, 'first'));
    await index.maintain();
    const catchUp = await lag(reads, reader);
    await one.put(aDocument(1, 'second'));

    expect(await idsOf(one, 'second')).toEqual([1]);
    await expect(index.maintain()).rejects.toMatchObject({ error: 'overloaded' });
    await catchUp();

    expect([await idsOf(one, 'second'), await idsOf(one, 'first'), isLocal(one)]).toEqual([[1], [], true]);
  });

  it('is not built from an older state than the one that it goes on from', async () => {
    const { one, index, reads, reader } = await unstarted();
    await one.put(aDocument(1, 'first'));
    const catchUp = await lag(reads, reader);
    await one.put(aDocument(2, 'first'), aDocument(1, 'second'));

    await expect(index.maintain()).rejects.toMatchObject({ error: 'overloaded' });
    await catchUp();
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 10_000);
    await index.maintain();

    expect([await idsOf(one, 'first'), await idsOf(one, 'second'), isLocal(one)]).toEqual([[2], [1], true]);
  });

  it('stops at once, however much is to be taken over', async () => {
    const { one, index, reads } = await unstarted();
    await index.maintain();
    await one.remove(...Array.from({ length: 3_000 }, (_, n) => n + 1));
    let looks = 0;
    const stops: Promise<void>[] = [];
    reads.intercept = (sql, _, read) => {
      if (sql.includes('search_documents')) {
        looks += 1;
        if (looks === 1) stops.push(index.onModuleDestroy());
      }
      return read();
    };

    await index.maintain();
    await Promise.all(stops);

    expect(looks).toBe(2);
  });

  it('is given up for ids that it has no room for: the server answers', async () => {
    const huge = 2 ** 40;
    const { one, index } = await unstarted();
    await index.maintain();
    await one.put(aDocument(huge, 'huge'));

    expect(await idsOf(one, 'huge')).toEqual([huge]);
    await index.maintain();
    expect([await idsOf(one, 'huge'), isLocal(one)]).toEqual([[huge], false]);
    expect(one.logged).toEqual([BUILDING, READY, GIVEN_UP]);
    const other = await unstarted();
    await other.index.maintain();

    expect([await idsOf(other.one, 'huge'), other.one.logged]).toEqual([[huge], [GIVEN_UP]]);
  });
});
