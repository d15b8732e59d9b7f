import { setTimeout as sleep } from 'node:timers/promises';
import { aDocument, openSearch, type OpenSearch } from '../../../test/support/open-search.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import type { SearchDocument } from '../search-index.js';

const DOCUMENTS = 300;
const ROUNDS = 6;
const WRITERS = 6;
const WRITES = 8;
const IDS = DOCUMENTS + 100;

describe('Searches of two processes on one server', () => {
  let database: TestDatabase;
  let processes: [OpenSearch, OpenSearch];

  beforeAll(async () => {
    database = await createTestDatabase();
    processes = [await openSearch(database), await openSearch(database)];
    await processes[0].put(...Array.from({ length: DOCUMENTS }, (_, n) => aDocument(n + 1, bodyOf(n))));
  });

  afterAll(async () => {
    await Promise.all(processes.map((one) => one.close()));
    await database.drop();
  });

  const random = (below: number): number => Math.floor(Math.random() * below);
  const bodyOf = (n: number): string => ['common', n % 2 ? 'half' : 'other', n % 50 ? '' : 'seldom'].join(' ');
  const totals = (q: string) => Promise.all(processes.map(async (one) => (await one.find(q)).total));

  const run = <Row>(sql: string) => processes[0].units.run((manager) => manager.query<Row[]>(sql));
  const rows = () => run<{ id: number | string }>('SELECT id FROM search_changes ORDER BY id');

  async function markSum(): Promise<string> {
    const [row] = await run<{ sum: string }>('SELECT SUM(mark) AS sum FROM search_changes');
    return String(row?.sum);
  }

  /** Makes changes ten seconds older, but for so many of the last ones. */
  const age = (last: number) =>
    run(
      `UPDATE search_changes SET at = at - 10000
        WHERE id > 1 AND id <= (SELECT n FROM (SELECT MAX(id) - ${last} AS n FROM search_changes) AS newest)`,
    );

  async function counted(word: string): Promise<number> {
    const [row] = await processes[0].units.run((manager) =>
      manager.query<{ n: number | string }[]>(
        `SELECT COUNT(*) AS n FROM search_documents WHERE type_id = 1 AND LOCATE(?, CONCAT(' ', body, ' ')) > 0`,
        [` ${word} `],
      ),
    );
    return Number(row?.n);
  }

  /** Writes some documents in a unit that takes its time, so that units end in another order than they wrote. */
  async function write({ index, units }: OpenSearch): Promise<void> {
    const ids = [...new Set([random(IDS), random(IDS)])].sort((a, b) => a - b).map((n) => n + 1);
    const documents = ids.map((id): SearchDocument => {
      const parts = random(9) === 0 ? { typeId: 2 } : {};
      return aDocument(id, bodyOf(random(100)), parts);
    });
    await units.run(async (manager) => {
      if (random(3) === 0) {
        await index.remove(
          manager,
          ids.map((id) => ({ id, typeId: 1 })),
        );
      } else await index.upsert(manager, documents);
      await sleep(random(15));
      if (random(6) === 0) throw new Error('undone');
    });
  }

  async function writer(process: OpenSearch): Promise<void> {
    for (let n = 0; n < WRITES; n += 1) {
      await write(process).catch((error: unknown) => {
        if ((error as Error).message !== 'undone') throw error;
      });
    }
  }

  it('count what a plain count does, whatever is written and in whatever order it is committed', async () => {
    const state = { isOver: false };
    const searching = (async () => {
      while (!state.isOver) await Promise.all([totals('"common"'), totals('"half"'), sleep(3)]);
    })();
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(processes[n % 2 ? 1 : 0])));

      for (const word of ['common', 'half', 'other', 'seldom']) {
        const n = await counted(word);
        expect([word, await totals(`"${word}"`)]).toEqual([word, [n, n]]);
      }
    }
    state.isOver = true;
    await searching;
  });

  it('see a unit that was begun before another one, and committed after it', async () => {
    const [first, second] = processes;
    const before = (await second.find('"common"')).total;
    let commit = (): void => undefined;
    let late: Promise<void> = Promise.resolve();
    const wrote = new Promise<void>((resolve) => {
      late = first.units.run(async (manager) => {
        await first.index.upsert(manager, [aDocument(5_001, 'common')]);
        const waiting = new Promise<void>((end) => (commit = end));
        resolve();
        await waiting;
      });
    });
    await wrote;

    await second.put(aDocument(5_002, 'common'));
    expect((await second.find('"common"')).total).toBe(before + 1);
    commit();
    await late;

    expect((await second.find('"common"')).total).toBe(before + 2);
  });

  it('see what is written while others put changes away', async () => {
    const [first, second] = processes;
    const before = (await second.find('"common"')).total;

    await first.put(aDocument(6_001, 'common'));
    await age(1);
    await first.index.tidy();
    await first.put(aDocument(6_002, 'common'));

    expect((await second.find('"common"')).total).toBe(before + 2);
  });

  it('count anew after the database was taken back in time', async () => {
    const [first, second] = processes;
    const saved = await rows();
    await first.put(aDocument(6_003, 'common'));
    const before = (await second.find('"common"')).total;

    await run(`DELETE FROM search_changes WHERE id NOT IN (${saved.map(({ id }) => id).join()})`);
    await run('DELETE FROM search_documents WHERE record_id = 6003');
    // As many changes as before, and the number of the last one is the same.
    await run(`ALTER TABLE search_changes AUTO_INCREMENT = ${Math.max(...saved.map(({ id }) => Number(id))) + 1}`);
    await first.put(aDocument(6_004, 'seldom'));

    expect((await second.find('"common"')).total).toBe(before - 1);
  });

  it.each(['everywhere', 'всюду'])(
    'rank the few documents of a type with %s, which most of other types have',
    async (word) => {
      const [first, second] = processes;
      const others = Array.from({ length: 2_000 }, (_, n) => aDocument(7_000 + n, word, { typeId: 2 }));
      const bodies = [
        `${word} and so on and on`,
        'another one',
        `${word} and ${word} and ${word} again`,
        `${word} and ${word}`,
      ];
      await first.put(...others, ...bodies.map((body, n) => aDocument(9_000 + n, body, { typeId: 3 })));

      const { total, hits } = await second.find(`"${word}"`, { within: [{ typeId: 3, statuses: ['published'] }] });

      expect([total, hits.map(({ id }) => id)]).toEqual([3, [9_002, 9_003, 9_000]]);
    },
  );

  it('keep changes that are young, and the last ones, and the sum of all marks', async () => {
    const [{ units, index }] = processes;
    const ids = Array.from({ length: 3_500 }, (_, n) => ({ id: 10_000 + n, typeId: 1 }));
    await units.run((manager) => index.remove(manager, ids));
    const before = await rows();

    await age(2_000);
    await Promise.all(processes.map((one) => one.index.tidy()));
    const young = await rows();
    expect(young.length).toBeGreaterThanOrEqual(2_000);
    expect(young.length).toBeLessThan(2_200);
    expect(young.slice(1)).toEqual(before.slice(1 - young.length));

    const sum = await markSum();
    await age(0);
    await index.tidy();
    const left = await rows();
    expect(left.length).toBeGreaterThanOrEqual(300);
    expect(left.length).toBeLessThan(500);
    expect(await markSum()).toBe(sum);
  });

  it('share one first count of all who ask at once, and let others read meanwhile', async () => {
    const [one] = processes;
    const n = await counted('common');

    const found = await Promise.all(Array.from({ length: 40 }, () => one.find('common -nothing')));

    expect(new Set(found.map(({ total }) => total))).toEqual(new Set([n]));
  });

  it('find every word of a document as soon as it is committed', async () => {
    const [one, other] = processes;
    const state = { isOver: false };
    const missed: string[] = [];
    const written: { id: number; words: string[] }[] = [];
    const searching = async (process: OpenSearch): Promise<void> => {
      while (!state.isOver) {
        const { id, words } = written.at(-1 - random(3)) ?? { id: 0, words: [] };
        const word = words[random(words.length)];
        if (word === undefined) await sleep(1);
        else if ((await process.find(`"${word}"`)).hits[0]?.id !== id) missed.push(`${word} of ${id}`);
      }
    };
    const searches = [one, other, one, other, one, other].map(searching);

    for (let id = 7_001; id <= 7_060; id += 1) {
      const words = Array.from({ length: 2_000 }, (_, n) => `w${id}x${n}${Math.random().toString(36).slice(2, 8)}`);
      await one.put(aDocument(id, words.join(' ')));
      written.push({ id, words });
    }
    state.isOver = true;
    await Promise.all(searches);

    expect(missed).toEqual([]);
  });
});
