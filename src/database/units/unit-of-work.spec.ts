import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { withCommitMark } from '../../common/commit-mark.js';
import { stopMonotonicClock } from '../../../test/support/clock.js';
import { Gate } from '../../../test/support/gate.js';
import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { TurnCounter } from '../../../test/support/turn-counter.js';
import { execute, select } from '../statements/statement.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;

describe('UnitOfWork', () => {
  let open: OpenDatabase;

  beforeAll(async () => {
    open = await openTestDatabase();
  });

  beforeEach(() => open.units.run((manager) => execute(manager, 'DELETE FROM things')));
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => open.close());

  const insert = (manager: EntityManager, id: number) =>
    execute(manager, 'INSERT INTO things (id, n) VALUES (?, 0)', [id]);
  const add = (manager: EntityManager, id: number) =>
    execute(manager, 'UPDATE things SET n = n + 1 WHERE id = ?', [id]);
  const read = async (): Promise<{ id: number; n: number }[]> =>
    open.reader.query('SELECT id, n FROM things ORDER BY id');

  it('commits everything, and hands on what the work returns', async () => {
    const result = await open.units.run(async (manager) => {
      await insert(manager, 1);
      await insert(manager, 2);
      return 'done';
    });

    expect(result).toBe('done');
    expect(await read()).toEqual([
      { id: 1, n: 0 },
      { id: 2, n: 0 },
    ]);
  });

  it('lets other work go on between statements that take long together', async () => {
    const pass = stopMonotonicClock();

    const turns = await open.units.run(async (manager) => {
      const counter = new TurnCounter();
      for (let n = 0; n < 20; n += 1) {
        await select(manager, 'SELECT 1');
        pass(10);
      }
      return counter.stop();
    });

    // Those of a server take a turn each anyway.
    expect(turns).toBeGreaterThanOrEqual(19);
  });

  it('does what is to follow a commit once, when the unit is committed, and not at all where it is not', async () => {
    const followed: string[] = [];
    let tries = 0;
    const deadlock = Object.assign(new Error('Deadlock'), { errno: 1213, code: 'ER_LOCK_DEADLOCK' });

    await open.units.run(async (manager) => {
      tries += 1;
      open.units.afterCommit(() => followed.push(`try ${String(tries)}`));
      await insert(manager, 1);
      if (tries === 1) throw deadlock;
    });
    const failed = open.units.run(() => {
      open.units.afterCommit(() => followed.push('failed'));
      return Promise.reject(new Error('no'));
    });

    await expect(failed).rejects.toThrow('no');
    expect(followed).toEqual(['try 2']);
    expect(() => {
      open.units.afterCommit(() => undefined);
    }).toThrow('No unit of work is open.');
  });

  it('commits nothing when the work fails, and hands on the failure', async () => {
    const failure = new Error('no');

    const unit = open.units.run(async (manager) => {
      await insert(manager, 1);
      throw failure;
    });

    await expect(unit).rejects.toBe(failure);
    expect(await read()).toEqual([]);
  });

  it('commits nothing when a statement fails', async () => {
    const unit = open.units.run(async (manager) => {
      await insert(manager, 1);
      await insert(manager, 1);
    });

    await expect(unit).rejects.toThrow();
    expect(await read()).toEqual([]);
  });

  it('refuses a unit inside a unit, and undoes the outer one', async () => {
    const unit = open.units.run(async (manager) => {
      await insert(manager, 1);
      await open.units.run((inner) => insert(inner, 2));
    });

    await expect(unit).rejects.toThrow('already open');
    expect(await read()).toEqual([]);
  });

  it('lets what a unit has left running open units of its own, while others are open', async () => {
    let leftover = Promise.resolve<unknown>(undefined);
    await open.units.run((manager) => {
      leftover = sleep(30).then(() => open.units.run((later) => insert(later, 2)));
      return insert(manager, 1);
    });

    const other = open.units.run(() => sleep(60));

    await expect(leftover).resolves.toBeDefined();
    await other;
    expect(await read()).toHaveLength(2);
  });

  it('sees inside what it has written, and other connections see it only once it is committed', async () => {
    const seen = await open.units.run(async (manager) => {
      await insert(manager, 1);
      const inside = await select(manager, 'SELECT id FROM things');
      await sleep(20);
      return { inside, outside: await read() };
    });

    expect(seen).toEqual({ inside: [{ id: 1 }], outside: [] });
    expect(await read()).toHaveLength(1);
  });

  it('loses none of 200 parallel units of which one in ten fails, and none hangs', async () => {
    stopMonotonicClock(); // however slow the disk is, no unit waits for too long
    const units = Array.from({ length: 200 }, (_, n) =>
      open.units.run(async (manager) => {
        await insert(manager, n);
        await sleep(Math.random() * 3);
        await add(manager, n);
        if (n % 10 === 0) throw new Error('one in ten');
      }),
    );

    const results = await Promise.allSettled(units);

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(180);
    const rows = await read();
    expect(rows).toHaveLength(180);
    expect(rows.every(({ id, n }) => id % 10 !== 0 && n === 1)).toBe(true);
  });

  it('loses none of 200 parallel changes of one row', async () => {
    stopMonotonicClock(); // however slow the disk is, no unit waits for too long
    await open.units.run((manager) => insert(manager, 1));

    await Promise.all(Array.from({ length: 200 }, () => open.units.run((manager) => add(manager, 1))));

    expect(await read()).toEqual([{ id: 1, n: 200 }]);
  });

  it('runs a unit again as a whole when it lost against another one', async () => {
    await open.units.run(async (manager) => {
      await insert(manager, 1);
      await insert(manager, 2);
    });
    let [runs, holders] = [0, 0];
    const bothHoldOne = new Gate();
    const crosswise = (first: number, second: number) =>
      open.units.run(async (manager) => {
        runs += 1;
        await add(manager, first);
        holders += 1;
        // Two writers that cross each other only meet where there can be two writers.
        if (holders === 2 || !isServer) bothHoldOne.open();
        await bothHoldOne.opened;
        await add(manager, second);
      });

    await Promise.all([crosswise(1, 2), crosswise(2, 1)]);

    expect(await read()).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 2 },
    ]);
    expect(runs).toBe(isServer ? 3 : 2);
  });

  it('goes on as long as there is time, however often it loses', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    stopMonotonicClock();
    let runs = 0;

    await open.units.run(async (manager) => {
      runs += 1;
      await insert(manager, runs);
      if (runs < 60) throw Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK' });
    });

    expect(await read()).toEqual([{ id: 60, n: 0 }]);
  });

  it('undoes a unit of a request that is older than five seconds on a server, and runs it again', async () => {
    const pass = stopMonotonicClock();
    let runs = 0;

    await withCommitMark(() =>
      open.units.run(async (manager) => {
        runs += 1;
        await insert(manager, runs);
        if (runs === 1) pass(5_001);
      }),
    );

    expect(await read()).toEqual([{ id: isServer ? 2 : 1, n: 0 }]);
  });

  it('commits a unit of a request after five seconds, and one of other work after more', async () => {
    const pass = stopMonotonicClock();
    const taking = (id: number, ms: number) => () =>
      open.units.run(async (manager) => {
        await insert(manager, id);
        pass(ms);
      });

    await withCommitMark(taking(1, 5_000));
    await taking(2, 60_000)();

    expect(await read()).toEqual([
      { id: 1, n: 0 },
      { id: 2, n: 0 },
    ]);
  });

  it('does not run a unit again that broke a rule', async () => {
    let runs = 0;

    const unit = open.units.run(async (manager) => {
      runs += 1;
      await insert(manager, 1);
      await insert(manager, 1);
    });

    await expect(unit).rejects.toThrow();
    expect(runs).toBe(1);
  });

  it('goes on after a failure', async () => {
    await open.units.run(() => Promise.reject(new Error('no'))).catch(() => undefined);

    await open.units.run((manager) => insert(manager, 1));

    expect(await read()).toHaveLength(1);
  });
});
