import pino from 'pino';
import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { inBackground } from '../../common/jobs/background.js';
import { Leases1790000000070 } from '../migrations/1790000000070-leases.js';
import { Reads } from '../statements/reads.js';
import { execute, select } from '../statements/statement.js';
import { Leases } from './leases.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;
const HOUR_MS = 3_600_000;

describe('Leases', () => {
  let open: OpenDatabase;
  let lines: object[];

  beforeAll(async () => {
    open = await openTestDatabase();
    const runner = open.writer.source.createQueryRunner();
    await new Leases1790000000070().up(runner);
    await runner.release();
  });

  beforeEach(async () => {
    lines = [];
    await open.units.run(async (manager) => {
      await execute(manager, 'DELETE FROM leases');
      await execute(manager, 'DELETE FROM things');
    });
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => open.close());

  /** The leases of one more instance, which seeks one. */
  function instance(name = 'counts'): Leases {
    const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as object) });
    const leases = new Leases(open.units, new Reads(open.reader), open.writer.dialect, log);
    leases.seek(name);
    return leases;
  }

  const { signal } = new AbortController();

  async function runs(leases: Leases, name = 'counts'): Promise<boolean> {
    let isRun = false;
    await leases.run(name, signal, () => Promise.resolve(void (isRun = true)));
    return isRun;
  }

  /** So much time passes by the clock of the database. */
  const pass = (ms: number) =>
    open.units.run((manager) => execute(manager, 'UPDATE leases SET until_at = until_at - ?', [ms]));
  const note = (id: number) =>
    open.units.run((manager) => execute(manager, 'INSERT INTO things (id, n) VALUES (?, 0)', [id]));
  const things = () => open.units.run((manager) => select(manager, 'SELECT id FROM things ORDER BY id'));

  it('are of one instance, however many ask at once', async () => {
    const instances = Array.from({ length: 5 }, () => instance());

    await Promise.all(instances.map((one) => one.keep()));

    const ran = await Promise.all(instances.map((one) => runs(one)));
    expect(ran.filter(Boolean)).toHaveLength(1);
    const held = instances.flatMap((one) => one.held);
    expect(held).toEqual([{ name: 'counts', owner: expect.any(String), epoch: 1 }]);
  });

  it('are of one instance each, and another one may have another lease', async () => {
    const [first, second] = [instance('counts'), instance('trash')];
    await first.keep();
    await second.keep();

    expect([await runs(first, 'counts'), await runs(first, 'trash')]).toEqual([true, false]);
    expect([await runs(second, 'counts'), await runs(second, 'trash')]).toEqual([false, true]);
  });

  it('are taken by another instance when they were given back', async () => {
    const [first, second] = [instance(), instance()];
    await first.keep();
    await second.keep();
    expect(second.held).toEqual([]);

    await first.giveBack();
    await second.keep();

    expect([first.held, second.held]).toEqual([[], [expect.objectContaining({ epoch: 2 })]]);
  });

  it('are taken by another instance fifteen seconds after the last word of their holder, and not before', async () => {
    const [first, second] = [instance(), instance()];
    await first.keep();

    await pass(10_000);
    await second.keep();
    expect(second.held).toEqual([]);

    await pass(5_001);
    await second.keep();
    expect(second.held).toEqual([expect.objectContaining({ epoch: 2 })]);
    await first.keep();
    expect(first.held).toEqual([]);
  });

  it('go by the clock of the database: those of the processes may be an hour ahead or behind', async () => {
    const [first, second] = [instance(), instance()];
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - HOUR_MS);
    await first.keep();

    clock.mockImplementation(() => now() + HOUR_MS);
    await second.keep();

    expect([first.held.length, second.held.length]).toEqual([1, 0]);
  });

  if (isServer) {
    describe('of which one has its row locked, as by a process that stands still within a unit', () => {
      /** Does something while the row of a lease is locked by another session. */
      async function whileLocked(name: string, work: () => Promise<void>): Promise<void> {
        const runner = open.writer.source.createQueryRunner();
        await runner.startTransaction();
        try {
          await runner.query('SELECT name FROM leases WHERE name = ? FOR UPDATE', [name]);
          await work();
        } finally {
          await runner.rollbackTransaction();
          await runner.release();
        }
      }

      it('are taken but for that one, which is taken when it is free', async () => {
        const [first, second] = [instance('counts'), instance('counts')];
        for (const name of ['audit', 'trash']) for (const one of [first, second]) one.seek(name);
        await first.keep();
        await pass(15_001);

        await whileLocked('audit', () => second.keep());
        const names = second.held.map(({ name }) => name);
        await second.keep();

        expect(names.toSorted()).toEqual(['counts', 'trash']);
        expect(second.held).toHaveLength(3);
      });

      it('are renewed but for that one', async () => {
        const leases = instance('counts');
        for (const name of ['audit', 'trash']) leases.seek(name);
        await leases.keep();
        await pass(14_000);

        await whileLocked('audit', () => leases.keep());
        await pass(2_000);

        const free = (await leases.all()).filter(({ isFree }) => isFree);
        expect(free.map(({ name }) => name)).toEqual(['audit']);
      });
    });
  }

  it('undo what a former holder writes, and end its work', async () => {
    const [first, second] = [instance(), instance()];
    await first.keep();
    let isOver = false;

    await first.run('counts', signal, async () => {
      await note(1);
      await inBackground(async () => {
        await pass(15_001);
        await second.keep();
      });
      await note(2);
      isOver = true;
    });

    expect([await things(), isOver]).toEqual([[{ id: 1 }], false]);
    expect(lines).toEqual([expect.objectContaining({ level: 30, lease: 'counts' })]);
  });

  it('keep other instances out of a unit of work until it is committed', async () => {
    const [first, second] = [instance(), instance()];
    await first.keep();
    await pass(15_001);
    let taking = Promise.resolve();

    await first.run('counts', signal, async () => {
      await open.units.run(async (manager) => {
        taking = inBackground(() => second.keep());
        await execute(manager, 'INSERT INTO things (id, n) VALUES (3, 0)');
      });
    });
    await taking;

    expect(await things()).toEqual([{ id: 3 }]);
    // A server was written to with the unit, which has renewed the lease.
    expect(second.held).toHaveLength(isServer ? 0 : 1);
  });

  it('fence the units of their work alone', async () => {
    const leases = instance();
    await leases.keep();
    await open.units.run((manager) => execute(manager, 'UPDATE leases SET epoch = epoch + 1'));

    await leases.run('counts', signal, () => note(4).then(() => undefined));
    await note(5);

    expect(await things()).toEqual([{ id: 5 }]);
  });

  it('hand on a failure of the work', async () => {
    const leases = instance();
    await leases.keep();
    const failure = new Error('full disk');

    await expect(leases.run('counts', signal, () => Promise.reject(failure))).rejects.toBe(failure);
  });

  it('are known to a process that was not answered when it took them', async () => {
    const leases = instance();
    jest.spyOn(open.units, 'run').mockImplementationOnce(async (work) => {
      await open.units.run(work);
      throw new Error('no answer');
    });
    await expect(leases.keep()).rejects.toThrow('no answer');
    expect(leases.held).toEqual([]);

    await leases.keep();

    expect(leases.held).toEqual([expect.objectContaining({ epoch: 1 })]);
  });

  it('are renewed on a server, and only read in a file, where a service that does nothing writes nothing', async () => {
    const leases = instance();
    const read = () =>
      open.reader.query<{ until_at: number | string }[]>('SELECT until_at FROM leases').then(([row]) => row?.until_at);
    await leases.keep();
    await pass(5_000);
    const before = Number(await read());

    await leases.keep();

    expect(Number(await read()) > before).toBe(isServer);
    expect(leases.held).toHaveLength(1);
  });
});
