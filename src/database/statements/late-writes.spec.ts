import type { EntityManager } from 'typeorm';
import { stopMonotonicClock } from '../../../test/support/clock.js';
import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { LateWrites } from './late-writes.js';
import { execute, select } from './statement.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;

describe('Writes that units have in common', () => {
  let open: OpenDatabase;
  /** How many were made together, one time after the other. */
  let portions: number[];

  const counts = new LateWrites<number>('things', async (manager, ids) => {
    portions.push(ids.length);
    for (const id of ids) await execute(manager, 'UPDATE things SET n = n + 1 WHERE id = ?', [id]);
  });
  const read = (): Promise<{ id: number; n: number }[]> => open.reader.query('SELECT id, n FROM things ORDER BY id');
  const add = (...ids: number[]) => open.units.run((manager) => counts.add(manager, ids));
  const fail = (...ids: number[]) =>
    open.units.run(async (manager: EntityManager) => {
      await counts.add(manager, ids);
      throw new Error('no');
    });

  beforeAll(async () => {
    open = await openTestDatabase();
  });

  beforeEach(async () => {
    await open.units.run(async (manager) => {
      await execute(manager, 'DELETE FROM things');
      await execute(manager, 'INSERT INTO things (id, n) VALUES (1, 0), (2, 0)');
    });
    portions = [];
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => open.close());

  it('are there when the unit is committed', async () => {
    await add(1, 1, 2);

    expect(await read()).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 1 },
    ]);
    expect(portions).toEqual([3]);
  });

  it('are made once for the units of one commit', async () => {
    stopMonotonicClock();

    await Promise.all([add(1), add(2), add(1)]);

    expect(await read()).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 1 },
    ]);
    if (!isServer) expect(portions).toEqual([3]);
  });

  it('are seen by a statement of their unit that names the table', async () => {
    const seen = await open.units.run(async (manager) => {
      await counts.add(manager, [2]);
      return select(manager, 'SELECT n FROM things WHERE id = 2');
    });

    expect(seen).toEqual([{ n: 1 }]);
  });

  it('come before a statement that removes the rows', async () => {
    await open.units.run(async (manager) => {
      await counts.add(manager, [1]);
      await execute(manager, 'DELETE FROM things WHERE id = 1');
    });

    expect(await read()).toEqual([{ id: 2, n: 0 }]);
  });

  it('are gone with the unit that has failed, and with no other', async () => {
    const outcomes = await Promise.allSettled([add(1), fail(1, 2), add(2), fail(2), add(1)]);

    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await read()).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 1 },
    ]);
    await add(2);
    expect((await read())[1]).toEqual({ id: 2, n: 2 });
  });

  it('that cannot be made fail the unit that they are of, and no other', async () => {
    const refused = new LateWrites<number>('things', (manager) =>
      execute(manager, 'INSERT INTO things (id, n) VALUES (1, 0)').then(() => undefined),
    );

    const outcomes = await Promise.allSettled([add(1), open.units.run((manager) => refused.add(manager, [1])), add(1)]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await read())[0]).toEqual({ id: 1, n: 2 });
  });
});
