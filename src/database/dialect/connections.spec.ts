import type { EntityManager } from 'typeorm';
import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { waitFor } from '../../../test/support/mailbox.js';
import { CommitProxy } from '../../../test/support/commit-proxy.js';
import { asUnavailable, isQueryTimeout } from './database-error.js';
import { serversOf } from '../mysql/mysql-dialect.js';
import type { PoolState } from '../servers/servers.js';
import { execute, select } from '../statements/statement.js';
import { openDataSource } from './data-source.js';
import { dialectFor } from '../dialect-for.js';

const TIME_LIMIT_MS = 500;
/** Lifts the limits that the server holds by itself, so that the one of the driver is met. */
const UNLIMITED =
  'SET SESSION sql_mode = @@sql_mode /*M! , max_statement_time = 0 */ /*!80000 , max_execution_time = 0 */';

/**
 * Has statements that begin from now on be waited for no longer than a moment. Not all of them: on a busy machine
 * any statement may take so long.
 *
 * @returns ends that
 */
function hurry({ writer }: OpenDatabase): () => void {
  const options = writer.source.driver.options as { maxQueryExecutionTime?: number | undefined };
  const { maxQueryExecutionTime } = options;
  options.maxQueryExecutionTime = TIME_LIMIT_MS;
  return () => (options.maxQueryExecutionTime = maxQueryExecutionTime);
}

const isServer = process.env.TEST_DATABASE_URL !== undefined;

describe('Connections', () => {
  let open: OpenDatabase;

  beforeAll(async () => {
    open = await openTestDatabase();
  });

  afterAll(() => open.close());

  it('are set up for data that matter, whatever the database does by default', async () => {
    const settings = isServer
      ? [
          'tx_isolation',
          'transaction_isolation',
          'max_statement_time',
          'max_execution_time',
          'innodb_lock_wait_timeout',
          'lock_wait_timeout',
          'wait_timeout',
        ]
      : ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'];
    const found = await open.units.run((manager) => Promise.all(settings.map((name) => settingOf(manager, name))));

    const expected = isServer ? [found[0] ?? found[1], found[2] ?? found[3], ...found.slice(4)] : found;
    expect(expected.map(String)).toEqual(
      isServer ? ['READ-COMMITTED', expect.stringMatching(/^10(000|\.0+)?$/), '5', '5', '60'] : ['wal', '2', '1', '5'],
    );
  });

  // A file has no connection that could be lost.
  if (isServer)
    describe('to a server', () => {
      lostConnections(() => open);
    });
});

async function settingOf(manager: EntityManager, name: string): Promise<unknown> {
  const sql = isServer ? `SHOW VARIABLES WHERE Variable_name = '${name}'` : `PRAGMA ${name}`;
  const [row] = await select<Record<string, unknown>>(manager, sql);
  return row === undefined ? undefined : Object.values(row).at(-1);
}

const writePool = ({ writer }: OpenDatabase): PoolState | undefined => serversOf(writer.dialect)?.poolStates[0];

/** A write to a server that takes none. */
function refusedWrite({ units }: OpenDatabase): Promise<unknown> {
  return units.run(async (manager) => {
    await select(manager, 'SET SESSION TRANSACTION READ ONLY');
    await select(manager, 'COMMIT');
    await execute(manager, 'INSERT INTO things (id, n) VALUES (4, 4)');
  });
}

/** Another server, or the same one after a restart, may take less than the one before. */
async function learnsOfEachServer(): Promise<void> {
  const open = await openTestDatabase();
  const packets = serversOf(open.writer.dialect)?.packets ?? null;
  const connected = packets?.weight;
  await refusedWrite(open).catch(() => undefined);
  if (packets) packets.bytes = 64;
  await select(open.writer.source.manager, 'SELECT 1');
  await open.close();
  expect(connected).toBeGreaterThan(64);
  expect(packets?.weight).toBe(connected);
}

function lostConnections(database: () => OpenDatabase): void {
  let open: OpenDatabase;

  beforeAll(() => {
    open = database();
  });

  const connectionId = () =>
    open.units.run(async (manager) => {
      const [row] = await select<{ id: number }>(manager, 'SELECT CONNECTION_ID() AS id');
      return Number(row?.id);
    });

  it('say what the server takes in one packet, each of them', learnsOfEachServer);

  it('are destroyed when a query takes longer than the driver waits, and the unit is overloaded', async () => {
    const ids: number[] = [];
    let calm = (): void => undefined;
    const slow = open.units.run(async (manager) => {
      const [row] = await select<{ id: number }>(manager, 'SELECT CONNECTION_ID() AS id');
      ids.push(Number(row?.id));
      await execute(manager, 'INSERT INTO things (id, n) VALUES (1, 1)');
      await select(manager, UNLIMITED);
      calm = hurry(open);
      await select(manager, 'SELECT SLEEP(3)');
    });

    const error: unknown = await slow.catch((failure: unknown) => failure);
    calm();

    expect(asUnavailable(error)?.error).toBe('overloaded');
    const next = await Promise.all(Array.from({ length: 30 }, connectionId));
    expect(next).not.toContain(ids[0]);
    const ended = async () => {
      const all = await open.reader.query<{ Id: number }[]>('SHOW PROCESSLIST');
      return all.every(({ Id }) => Id !== ids[0]) || null;
    };
    await waitFor(ended, 'the server to have ended it');
    expect(await open.reader.query('SELECT * FROM things')).toEqual([]);
  });

  it('that say nothing to a COMMIT are destroyed, and whether the unit is committed is unknown', async () => {
    const url = process.env.TEST_DATABASE_URL ?? '';
    const proxy = await CommitProxy.start(url);
    process.env.TEST_DATABASE_URL = proxy.url;
    const behind = await openTestDatabase();
    process.env.TEST_DATABASE_URL = url;
    let runs = 0;
    let calm = (): void => undefined;
    proxy.next('silent', 'INSERT INTO things');

    const error: unknown = await behind.units
      .run(async (manager) => {
        runs += 1;
        await execute(manager, 'INSERT INTO things (id, n) VALUES (1, 1)');
        calm = hurry(behind);
      })
      .catch((failure: unknown) => failure);
    calm();

    expect(error).toMatchObject({ error: 'outcome_unknown', cause: expect.any(Error) });
    expect([runs, isQueryTimeout((error as Error).cause)]).toEqual([1, true]);
    await behind.units.run((manager) => execute(manager, 'UPDATE things SET n = n + 1'));
    expect(await behind.reader.query('SELECT n FROM things')).toEqual([{ n: 2 }]);
    await behind.close();
    await proxy.stop();
  });

  it('are waited for no longer than a few seconds where the pool is empty, and are there again afterwards', async () => {
    const hurried = await openTestDatabase();
    const held = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const runner = hurried.writer.source.createQueryRunner();
        await runner.connect();
        return runner;
      }),
    );

    const error: unknown = await hurried.units
      .run((manager) => select(manager, 'SELECT 1'))
      .catch((failure: unknown) => failure);

    expect(asUnavailable(error)).toMatchObject({ error: 'overloaded', headers: { 'Retry-After': '1' } });
    expect(writePool(hurried)).toMatchObject({ active: 10, waiting: 0 });
    for (const runner of held) await runner.release();
    await hurried.units.run((manager) => execute(manager, 'INSERT INTO things (id, n) VALUES (1, 1)'));
    await hurried.close();
  });

  it('to a server that takes no writes any more are replaced, those that lie idle too', async () => {
    const before = new Set(await Promise.all(Array.from({ length: 10 }, connectionId)));
    const readOnly = refusedWrite(open);

    expect(asUnavailable(await readOnly.catch((error: unknown) => error))?.error).toBe('overloaded');
    for (const id of await Promise.all(Array.from({ length: 10 }, connectionId))) expect(before.has(id)).toBe(false);
  });

  it('that only read are replaced as well, once another one has met a server that takes no writes any more', async () => {
    const behind = await openTestDatabase();
    const readerIds = async (): Promise<number[]> => {
      const runners = Array.from({ length: 10 }, () => behind.reader.createQueryRunner());
      const rows = await Promise.all(runners.map((runner) => runner.query('SELECT CONNECTION_ID() AS id')));
      await Promise.all(runners.map((runner) => runner.release()));
      return rows.map(([row]: { id: number }[]) => Number(row?.id));
    };
    const before = new Set(await readerIds());

    await expect(refusedWrite(behind)).rejects.toThrow();

    const after = await readerIds();
    for (const id of after) expect(before.has(id)).toBe(false);
    expect(new Set([...after, ...(await readerIds())]).size).toBe(new Set(after).size);
    await behind.close();
  });

  it('are not used where their session could not be set up, and take no place of the pool', async () => {
    const proxy = await CommitProxy.start(process.env.TEST_DATABASE_URL ?? '');
    const { address } = open.database;
    const url = new URL(proxy.url);
    url.pathname = new URL(address.kind === 'server' ? address.url : '').pathname;
    const source = await openDataSource(
      dialectFor({ kind: 'server', url: url.href, label: 'x', tls: null }).writerOptions(),
    );
    const runners = Array.from({ length: 13 }, () => source.createQueryRunner());
    const [first, broken, others] = [runners.slice(0, 1), runners.slice(1, 4), runners.slice(4)];
    await first[0]?.connect();

    proxy.misspell = 'READ COMMITTED';
    for (const runner of broken) await expect(runner.connect()).rejects.toMatchObject({ errno: 1064 });
    proxy.misspell = null;

    await Promise.all(others.map((runner) => runner.connect()));
    await Promise.all([...first, ...others].map((runner) => runner.release()));
    await source.destroy();
    await proxy.stop();
  });

  it('serve 200 units although some of them time out', async () => {
    const calm = hurry(open);
    const units = Array.from({ length: 200 }, (_, n) =>
      open.units.run(async (manager) => {
        await execute(manager, 'INSERT INTO things (id, n) VALUES (?, 0)', [1_000 + n]);
        if (n % 40 === 0) {
          await select(manager, UNLIMITED);
          await select(manager, 'SELECT SLEEP(3)');
        }
      }),
    );

    const results = await Promise.allSettled(units);
    calm();

    const served = results.flatMap(({ status }, n) => (status === 'fulfilled' ? [1_000 + n] : []));
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(served.filter((id) => id % 40 === 0)).toEqual([]);
    // On a busy machine an insert may take longer than the limit, too.
    expect(refusals.map((reason) => asUnavailable(reason)?.error)).toEqual(refusals.map(() => 'overloaded'));
    expect(served.length).toBeGreaterThan(100);
    const rows = await open.reader.query('SELECT id FROM things WHERE id >= 1000 ORDER BY id');
    expect(rows.map(({ id }: { id: number }) => id)).toEqual(served);
  });

  it('that the server has killed are replaced', async () => {
    const killed = new Set(await Promise.all(Array.from({ length: 20 }, connectionId)));
    for (const id of killed) await open.reader.query(`KILL ${id}`).catch(() => undefined);
    const seen = () => Promise.resolve(writePool(open)?.idle === 0 || null);
    await waitFor(seen, 'this process to see that they ended');

    const next = await Promise.all(Array.from({ length: 20 }, connectionId));

    for (const id of next) expect(killed.has(id)).toBe(false);
  });

  it('that are killed in the middle of a unit undo it, and the next unit works', async () => {
    const broken = open.units.run(async (manager) => {
      await execute(manager, 'INSERT INTO things (id, n) VALUES (2, 2)');
      const [row] = await select<{ id: number }>(manager, 'SELECT CONNECTION_ID() AS id');
      await open.reader.query(`KILL ${String(row?.id)}`);
      await select(manager, 'SELECT 1');
    });

    await expect(broken).rejects.toThrow();
    expect(await open.reader.query('SELECT * FROM things WHERE id = 2')).toEqual([]);
    await open.units.run((manager) => execute(manager, 'INSERT INTO things (id, n) VALUES (3, 3)'));
    expect(await open.reader.query('SELECT n FROM things WHERE id = 3')).toEqual([{ n: 3 }]);
  });
}
