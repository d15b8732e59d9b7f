import type { EntityManager } from 'typeorm';
import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { statementsOver } from '../../../test/support/statements.js';
import { PacketLimit } from '../dialect/packet-limit.js';
import { execute, select } from './statement.js';
import { executeCounted, executeLater, insertRows, selectLater, StatementQueue } from './statement-queue.js';

const isServer = process.env.TEST_DATABASE_URL !== undefined;
/** Two of them are more than one packet takes. */
const LONG = 'ž'.repeat(700_000);

describe('Statements whose answers are not awaited', () => {
  let open: OpenDatabase;
  let sent: string[];

  beforeAll(async () => {
    open = await openTestDatabase();
    sent = statementsOver(open.writer.source);
    await open.units.run((manager) => execute(manager, 'CREATE TABLE texts (id INTEGER PRIMARY KEY, body MEDIUMTEXT)'));
  });

  beforeEach(async () => {
    await open.units.run((manager) => execute(manager, 'DELETE FROM things'));
    sent.length = 0;
  });
  afterAll(() => open.close());

  const insertLater = (manager: EntityManager, id: number) =>
    executeLater(manager, 'INSERT INTO things (id, n) VALUES (?, 0)', [id]);
  const ids = async (manager: EntityManager) =>
    (await select<{ id: number }>(manager, 'SELECT id FROM things ORDER BY id')).map(({ id }) => id);
  const committed = () => open.units.run(ids);

  it('have run before the next one that is waited for', async () => {
    const found = await open.units.run(async (manager) => {
      await insertLater(manager, 1);
      const { affected } = await execute(manager, 'UPDATE things SET n = 7 WHERE id = 1');
      await insertLater(manager, 2);
      return { affected, ids: await ids(manager) };
    });

    expect(found).toEqual({ affected: 1, ids: [1, 2] });
  });

  it('are committed with the unit, in its order', async () => {
    await open.units.run(async (manager) => {
      await insertLater(manager, 1);
      await executeLater(manager, 'UPDATE things SET id = 5 WHERE id = 1');
      await insertLater(manager, 1);
    });

    expect(await committed()).toEqual([1, 5]);
  });

  it.each([
    ['line ends', '\n'],
    ['quotation marks', `'"`],
    ['backslashes', "\\'"],
    ['letters of two and three bytes', 'ž€'],
  ])('hold a long text of %s as it is', async (_, piece) => {
    const text = piece.repeat(40_000);
    await open.units.run(async (manager) => {
      await executeLater(manager, 'INSERT INTO texts (id, body) VALUES (7, ?)', [text]);
      await execute(manager, 'INSERT INTO texts (id, body) VALUES (8, ?)', [text]);
    });

    const rows = await open.units.run(async (manager) => {
      const found = await select<{ body: string }>(manager, 'SELECT body FROM texts WHERE id IN (7, 8)');
      await execute(manager, 'DELETE FROM texts');
      return found;
    });

    expect(rows.map(({ body }) => body === text)).toEqual([true, true]);
  });

  it('fail the unit as a whole, wherever they stand', async () => {
    const unit = open.units.run(async (manager) => {
      await insertLater(manager, 1);
      await insertLater(manager, 1);
      await insertLater(manager, 2);
    });

    await expect(unit).rejects.toThrow();
    expect(await committed()).toEqual([]);
  });

  it('are forgotten when the unit fails before they were sent', async () => {
    const unit = open.units.run(async (manager) => {
      await insertLater(manager, 1);
      throw new Error('no');
    });

    await expect(unit).rejects.toThrow('no');
    expect(await committed()).toEqual([]);
  });

  it('are written whatever stands in their values', async () => {
    const body = `?; DROP TABLE things; -- ' " \\ ${LONG}`;
    await open.units.run(async (manager) => {
      await executeLater(manager, 'INSERT INTO texts (id, body) VALUES (?, ?)', [1, body]);
      await executeLater(manager, 'INSERT INTO texts (id, body) VALUES (?, ?)', [2, body]);
      await executeLater(manager, 'INSERT INTO texts (id, body) VALUES (?, ?)', [3, `${LONG}${LONG}`]);
    });

    const rows = await open.units.run((manager) => select<{ body: string }>(manager, 'SELECT body FROM texts'));
    expect(rows.map((row) => row.body === body)).toEqual([true, true, false]);
    expect(rows[2]?.body.length).toBe(2 * LONG.length);
  });

  // A file has no way there and back that could be spared.
  if (isServer)
    it('go to a server with the next one, the beginning and the end of the unit too', async () => {
      await open.units.run(async (manager) => {
        await insertLater(manager, 1);
        await insertLater(manager, 2);
        await ids(manager);
        await insertLater(manager, 3);
      });

      expect(sent.map((sql) => sql.split(';\n').length)).toEqual([4, 2]);
    });
});

describe('Rows that are inserted together', () => {
  let open: OpenDatabase;
  /** The bytes that a server takes in one packet. */
  let limit = Infinity;

  beforeAll(async () => {
    open = await openTestDatabase();
    await open.units.run((manager) => execute(manager, 'CREATE TABLE texts (id INTEGER PRIMARY KEY, body LONGTEXT)'));
    if (!isServer) return;
    const [row] = await open.units.run((manager) => select<{ n: number }>(manager, 'SELECT @@max_allowed_packet AS n'));
    limit = row?.n ?? limit;
  });

  afterAll(() => open.close());

  const lengths = () =>
    open.units.run(async (manager) =>
      (await select<{ n: number }>(manager, 'SELECT LENGTH(body) AS n FROM texts ORDER BY id')).map(({ n }) => n),
    );

  it('are all there, however many and however long they are', async () => {
    const body = '"\n'.repeat(Math.min(limit, 4_000_000) / 10);
    const rows = Array.from({ length: 12 }, (_, id) => [id, body]);
    const short = Array.from({ length: 40_000 }, (_, at) => [100 + at, 'x']);

    await open.units.run((manager) => insertRows(manager, 'INSERT INTO texts (id, body)', [...rows, ...short]));

    const all = await lengths();
    expect(all.slice(0, 12)).toEqual(rows.map(() => body.length));
    expect(all).toHaveLength(40_012);
  });

  it('are taken from their source statement by statement, with a turn of the event loop between them', async () => {
    let [turns, made] = [0, 0];
    const turnsOfRows = new Set<number>();
    function* rows(): Generator<[number, string]> {
      while (made < 30_000) {
        turnsOfRows.add(turns);
        yield [(made += 1), 'x'];
      }
    }
    const loop = (): void => {
      turns += 1;
      if (made < 30_000) setImmediate(loop);
    };
    setImmediate(loop);

    await open.units.run(async (manager) => {
      await execute(manager, 'DELETE FROM texts');
      await insertRows(manager, 'INSERT INTO texts (id, body)', rows());
    });

    expect(await lengths()).toHaveLength(30_000);
    expect(turnsOfRows.size).toBeGreaterThan(3);
  });

  // A file takes whatever fits into memory.
  if (isServer)
    it('are refused where one is longer than the server takes, and nothing of their unit is there', async () => {
      await open.units.run((manager) => execute(manager, 'DELETE FROM texts'));
      const unit = open.units.run(async (manager) => {
        await executeLater(manager, 'INSERT INTO texts (id, body) VALUES (1, ?)', ['short']);
        await insertRows(manager, 'INSERT INTO texts (id, body)', [[2, "'".repeat(Math.ceil(limit / 2))]]);
      });

      await expect(unit).rejects.toMatchObject({ error: 'payload_too_large' });
      expect(await lengths()).toEqual([]);
    });
});

describe('Questions that wait for the next statement', () => {
  let open: OpenDatabase;
  let sent: string[];

  beforeAll(async () => {
    open = await openTestDatabase();
    sent = statementsOver(open.writer.source);
  });

  beforeEach(async () => {
    await open.units.run((manager) => execute(manager, 'DELETE FROM things'));
    await open.units.run((manager) => execute(manager, 'INSERT INTO things (id, n) VALUES (1, 10)'));
    sent.length = 0;
  });
  afterAll(() => open.close());

  const ask = (manager: EntityManager) => selectLater<{ n: number }>(manager, 'SELECT n FROM things WHERE id = ?', [1]);
  const add = (manager: EntityManager) => execute(manager, 'UPDATE things SET n = n + 1');

  it('are answered as of their place in the unit', async () => {
    const found = await open.units.run(async (manager) => {
      const before = await ask(manager);
      await add(manager);
      const after = await ask(manager);
      await add(manager);
      return [await before(), await after()];
    });

    expect(found).toEqual([[{ n: 10 }], [{ n: 11 }]]);
  });

  it('are asked by themselves when the answer is wanted before', async () => {
    const found = await open.units.run(async (manager) => (await ask(manager))());

    expect(found).toEqual([{ n: 10 }]);
  });

  it('are asked again when the statement that they went with has failed', async () => {
    const found = await open.units.run(async (manager) => {
      const answer = await ask(manager);
      await execute(manager, 'INSERT INTO things (id, n) VALUES (1, 10)').catch(() => undefined);
      return answer();
    });

    expect(found).toEqual([{ n: 10 }]);
  });

  it('resolve to what a statement has done, which runs once whenever that is wanted', async () => {
    const counts = await open.units.run(async (manager) => {
      const one = await executeCounted(manager, 'UPDATE things SET n = n + 1 WHERE id = ?', [1]);
      const none = await executeCounted(manager, 'UPDATE things SET n = n + 1 WHERE id = ?', [2]);
      const [row] = await select(manager, 'SELECT n FROM things');
      const other = await executeCounted(manager, 'UPDATE things SET n = n + 1 WHERE n = ?', [11]);
      return [await one(), await none(), row, await other(), await other()];
    });

    expect(counts).toEqual([1, 0, { n: 11 }, 1, 1]);
  });

  if (isServer)
    it('go to a server with that statement', async () => {
      await open.units.run(async (manager) => {
        const answer = await ask(manager);
        await add(manager);
        await answer();
      });

      expect(sent.map((sql) => sql.split(';\n').length)).toEqual([3, 1]);
    });
});

if (isServer) {
  describe('Statements to one of several servers that take writes', () => {
    let open: OpenDatabase;

    beforeAll(async () => {
      open = await openTestDatabase();
    });
    afterAll(() => open.close());

    it('go one by one, in their order, and end at the first that fails', async () => {
      const { source } = open.writer;
      const sent = statementsOver(source);
      const runner = source.createQueryRunner();
      const packets = new PacketLimit();
      packets.isOfCluster = true;
      const queue = StatementQueue.attachTo(runner, packets);

      await queue.add('START TRANSACTION');
      await queue.add('INSERT INTO things (id, n) VALUES (?, ?)', [1, 10]);
      const asked = queue.ask('SELECT n FROM things WHERE id = ?', [1]);
      const changed = await runner.query('UPDATE things SET n = 11 WHERE id = 1');
      const answer = await asked();
      await queue.add('INSERT INTO things (id, n) VALUES (?, ?)', [1, 12]);
      const failed: unknown = await runner.query('COMMIT').catch((error: unknown) => error);
      await runner.query('ROLLBACK');
      await runner.release();
      expect({ changed, answer, failed }).toMatchObject({
        changed: { affectedRows: 1 },
        answer: [{ n: 10 }],
        failed: { code: 'ER_DUP_ENTRY' },
      });
      const verbs = sent.map((sql) => sql.split(' ')[0]);
      expect(verbs.join(' ')).toBe('START INSERT SELECT UPDATE INSERT ROLLBACK');
    });
  });
}
