import { mkdtempSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aDocument, localIsReady, openSearch, type OpenSearch } from '../../../test/support/open-search.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { LocalSearchIndex } from './local-search-index.js';

const LATE = 2_000;
const BUILDING = 'building the local search index';
const READY = 'the local search index is ready';

describe('A search index in a file of the process', () => {
  let database: TestDatabase;
  let folder: string;
  let opened: OpenSearch[];

  beforeEach(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'cms-search-'));
    opened = [];
  });

  afterEach(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** One process, as soon as it answers from its file. */
  async function ready(on = database): Promise<OpenSearch> {
    const one = await openSearch(on, { folder });
    opened.push(one);
    await localIsReady(one);
    return one;
  }

  async function close(one: OpenSearch): Promise<void> {
    opened = opened.filter((other) => other !== one);
    await one.close();
  }

  const isLocal = ({ index }: OpenSearch): boolean => index instanceof LocalSearchIndex && index.isReady;
  const idsOf = async (one: OpenSearch, q: string): Promise<number[]> =>
    (await one.find(q)).hits.map(({ id }) => id).sort((a, b) => a - b);

  it('has what was there before, and what two processes of one folder write, at once', async () => {
    const plain = await openSearch(database);
    opened.push(plain);
    await plain.put(aDocument(1, 'old about'), aDocument(2, 'old', { status: 'draft' }));
    const [first, second] = [await ready(), await ready()];

    expect((await readdir(folder)).filter((name) => name.endsWith('.sqlite')).sort()).toEqual(['1.sqlite', '2.sqlite']);
    for (let id = 10; id < 40; id += 1) {
      const [writer, reader] = id % 2 ? [first, second] : [second, first];
      await writer.put(aDocument(id, `word${id}`));
      expect(await idsOf(reader, `"word${id}"`)).toEqual([id]);
      await reader.remove(id);
      expect(await idsOf(writer, `"word${id}"`)).toEqual([]);
    }
    expect([await idsOf(first, '"old"'), await idsOf(second, '"old about"')]).toEqual([[1, 2], [1]]);
    expect([isLocal(first), isLocal(second)]).toEqual([true, true]);
  });

  it('says how far it is behind', async () => {
    const plain = await openSearch(database, { folder, isStarted: false });
    opened.push(plain);
    const report = async ({ index }: OpenSearch) => (index instanceof LocalSearchIndex ? index.report() : null);
    const unknown = { name: 'local', reason: null, changesBehind: null, oldestSeconds: null };
    expect(await report(plain)).toEqual({ ...unknown, state: 'building' });
    if (plain.index instanceof LocalSearchIndex) await plain.index.maintain();
    expect(await report(plain)).toEqual({ ...unknown, state: 'ready', changesBehind: 0, oldestSeconds: 0 });

    await plain.put(aDocument(1, 'first'), aDocument(2, 'first'));
    expect(await report(plain)).toMatchObject({ state: 'ready', changesBehind: 2 });
    await plain.units.run((manager) =>
      manager.query<unknown>('UPDATE search_changes SET at = at - 120000 WHERE record_id > 0'),
    );
    expect(await report(plain)).toMatchObject({ state: 'behind', changesBehind: 2 });

    await plain.find('first');
    expect(await report(plain)).toMatchObject({ state: 'ready', changesBehind: 0 });
  });

  it('sees what a unit commits late, after thousands of others', async () => {
    const [first, second] = [await ready(), await ready()];
    let commit = (): void => undefined;
    let late: Promise<void> = Promise.resolve();
    await new Promise<void>((resolve) => {
      late = first.units.run(async (manager) => {
        await first.index.upsert(manager, [aDocument(5_001, 'late')]);
        // What is sent later is sent with the next statement.
        await manager.query('SELECT 1');
        const waiting = new Promise<void>((end) => (commit = end));
        resolve();
        await waiting;
      });
    });
    for (let n = 0; n < LATE; n += 1) {
      await first.put(aDocument(10_000 + (n % 50), 'common'));
      if (n % 500 === 0) expect((await second.find('"late"')).total).toBe(0);
    }

    commit();
    await late;

    expect(await idsOf(second, '"late"')).toEqual([5_001]);
    expect((await second.find('"common"')).total).toBe(50);
    expect(isLocal(second)).toBe(true);
  });

  it('goes on where it was, and takes over what was changed meanwhile', async () => {
    const one = await ready();
    await one.put(aDocument(1, 'first'), aDocument(2, 'gone'), aDocument(3, 'same'));
    expect((await one.find('"same"')).total).toBe(1);
    await close(one);
    const plain = await openSearch(database);
    opened.push(plain);
    await plain.put(aDocument(1, 'second'));
    await plain.remove(2);

    const again = await ready();

    expect(again.logged).toEqual([READY]);
    expect([await idsOf(again, 'first'), await idsOf(again, 'second'), await idsOf(again, 'gone')]).toEqual([
      [],
      [1],
      [],
    ]);
    expect(await idsOf(again, 'same')).toEqual([3]);
  });

  it('is made anew where the list of changes does not reach back far enough', async () => {
    const one = await ready();
    await one.put(aDocument(1, 'first'));
    await one.find('first');
    await close(one);
    const plain = await openSearch(database);
    opened.push(plain);
    await plain.put(aDocument(1, 'second'));
    await plain.units.run((manager) => manager.query('DELETE FROM search_changes'));
    await plain.put(aDocument(2, 'third'));

    const again = await ready();

    expect([await idsOf(again, 'first'), await idsOf(again, 'second'), await idsOf(again, 'third')]).toEqual([
      [],
      [1],
      [2],
    ]);
  });

  it('is made anew for another database, and for one that was taken back in time', async () => {
    const one = await ready();
    for (let id = 1; id <= 5; id += 1) await one.put(aDocument(id, 'first'));
    expect((await one.find('first')).total).toBe(5);
    await close(one);
    const other = await createTestDatabase();
    const plain = await openSearch(other);
    for (let id = 1; id <= 20; id += 1) await plain.put(aDocument(id, 'other'));

    const elsewhere = await ready(other);
    expect([(await elsewhere.find('first')).total, (await elsewhere.find('other')).total]).toEqual([0, 20]);
    await elsewhere.put(aDocument(30, 'future'));
    expect((await elsewhere.find('future')).total).toBe(1);
    await plain.units.run(async (manager) => {
      await manager.query('DELETE FROM search_documents WHERE record_id > 10');
      await manager.query('DELETE FROM search_changes WHERE id > 11');
    });
    await elsewhere.find('future');
    while (isLocal(elsewhere)) await sleep(20);

    // From here on the server answers, until there is a file again.
    expect([(await elsewhere.find('future')).total, (await elsewhere.find('other')).total]).toEqual([0, 10]);
    await close(elsewhere);
    const back = await ready(other);
    expect([(await back.find('future')).total, (await back.find('other')).total]).toEqual([0, 10]);
    await close(back);
    await plain.close();
    await other.drop();
  });

  it.each([
    ['in the middle', 0.5],
    ['near its end', 0.9],
    ['at its beginning', 0],
  ])('is made anew when its file was damaged %s', async (_, share) => {
    const one = await ready();
    await one.put(...Array.from({ length: 400 }, (__, n) => aDocument(n + 1, `plenty w${n} x${n} y${n} z${n}`)));
    expect((await one.find('plenty')).total).toBe(400);
    await close(one);
    const path = join(folder, '1.sqlite');
    const { size } = await stat(path);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(8_192, 0x5a), 0, 8_192, Math.floor((size * share) / 4_096) * 4_096);
    await file.close();

    const again = await ready();

    expect(again.logged).toEqual([BUILDING, READY]);
    for (let n = 0; n < 400; n += 1) expect([n, await idsOf(again, `"w${n}"`)]).toEqual([n, [n + 1]]);
    expect((await again.find('plenty')).total).toBe(400);
    expect(isLocal(again)).toBe(true);
  });

  it('answers from the server where its folder cannot be written', async () => {
    const file = join(folder, 'file');
    await (await open(file, 'w')).close();
    const one = await openSearch(database, { folder: join(file, 'below') });
    opened.push(one);

    await one.put(aDocument(1, 'anything'));

    expect(await idsOf(one, 'anything')).toEqual([1]);
    expect(isLocal(one)).toBe(false);
  });
});
