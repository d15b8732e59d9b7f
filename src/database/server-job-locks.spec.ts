import { Gate } from '../../test/support/gate.js';
import { waitFor } from '../../test/support/mailbox.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { dialectFor } from './dialect-for.js';
import { ServerJobLocks } from './server-job-locks.js';
import { Writer } from './statements/writer.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;
const never = new AbortController().signal;

describe('Locks of jobs', () => {
  let database: TestDatabase;
  /** Of each instance. */
  let writers: [Writer, Writer];
  let instances: [ServerJobLocks, ServerJobLocks];

  beforeAll(async () => {
    database = await createTestDatabase();
    writers = [await Writer.open(dialectFor(database.address)), await Writer.open(dialectFor(database.address))];
  });

  beforeEach(() => {
    instances = [new ServerJobLocks(writers[0].dialect), new ServerJobLocks(writers[1].dialect)];
  });

  afterEach(async () => {
    for (const instance of instances) instance.giveBack();
    for (const name of isServer ? ['counts', 'trash'] : []) await isFree(name);
  });

  afterAll(async () => {
    for (const writer of writers) await writer.onApplicationShutdown();
    await database.drop();
  });

  const of = (index: 0 | 1): ServerJobLocks => instances[index];
  const ask = <Row>(sql: string): Promise<Row[]> => writers[0].source.query(sql);
  /** Whether an instance may do the jobs of a lock. */
  const runs = async (index: 0 | 1, name = 'counts'): Promise<boolean> => {
    let hasRun = false;
    await of(index).run(name, never, () => {
      hasRun = true;
      return Promise.resolve();
    });
    return hasRun;
  };
  const holder = async (name = 'counts'): Promise<number | null> => {
    const label = database.address.kind === 'server' ? database.address.label : '';
    const [row] = await ask<{ id: number | null }>(`SELECT IS_USED_LOCK('${label} ${name}') AS id`);
    return row?.id ?? null;
  };

  const isFree = (name = 'counts'): Promise<true> =>
    waitFor(async () => ((await holder(name)) === null ? true : null), 'the server to see the connection go');

  if (!isServer) {
    it('are not asked for on a file, which has one instance', async () => {
      expect([await runs(0), await runs(1)]).toEqual([true, true]);
    });
    return;
  }

  it('let one instance do the jobs of a lock, again and again', async () => {
    expect([await runs(0), await runs(1), await runs(0), await runs(1)]).toEqual([true, false, true, false]);
  });

  it('are taken one by one: each instance may have some', async () => {
    expect([await runs(0, 'counts'), await runs(1, 'trash')]).toEqual([true, true]);
    expect([await runs(1, 'counts'), await runs(0, 'trash')]).toEqual([false, false]);
  });

  it('go to another instance as soon as they are given back', async () => {
    await runs(0);

    of(0).giveBack();
    await isFree();

    expect([await runs(1), await runs(0)]).toEqual([true, false]);
  });

  /** A write that the server refuses, as one does that was demoted. */
  const refusedWrite = async (): Promise<void> => {
    const runner = writers[0].source.createQueryRunner();
    await runner.query('SET SESSION TRANSACTION READ ONLY');
    await expect(runner.query('CREATE TABLE refused (id INTEGER)')).rejects.toMatchObject({ errno: 1792 });
    await runner.release();
  };

  it.each([
    ['has ended', async () => ask(`KILL ${String(await holder())}`)],
    ['leads to a server that takes no writes any more', refusedWrite],
  ])('end the work of an instance whose connection %s, and go to another one', async (_, end) => {
    const begun = new Gate();
    let ended = '';
    const work = of(0).run('counts', never, async (signal) => {
      begun.open();
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      ended = 'by the signal';
    });
    await begun.opened;

    await end();
    await work;

    expect(ended).toBe('by the signal');
    await isFree();
    expect(await runs(1)).toBe(true);
  });
});
