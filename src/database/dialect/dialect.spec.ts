import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { execute, select } from '../statements/statement.js';

/** The promises of every kind of database. */
describe('Dialect', () => {
  let open: OpenDatabase;

  beforeAll(async () => {
    open = await openTestDatabase();
  });

  beforeEach(() => open.units.run((manager) => execute(manager, 'DELETE FROM things')));
  afterAll(() => open.close());

  it('says where the data are, without a password', () => {
    expect(open.writer.dialect.label).toContain(open.database.address.kind === 'sqlite' ? 'cms.sqlite' : 'cms_test_');
    expect(open.writer.dialect.label).not.toContain('@');
  });

  it('returns how many rows a statement changed and which id it gave', async () => {
    const [inserted, changed, none] = await open.units.run(async (manager) => [
      await execute(manager, 'INSERT INTO things (id, n) VALUES (?, ?)', [7, 1]),
      await execute(manager, 'UPDATE things SET n = 2'),
      await execute(manager, 'UPDATE things SET n = 3 WHERE id = 99'),
    ]);

    expect(inserted.affected).toBe(1);
    expect([changed.affected, none.affected]).toEqual([1, 0]);
  });

  it('passes over rows whose key is taken', async () => {
    const { insertOrIgnore } = open.writer.dialect;

    const written = await open.units.run(async (manager) => {
      await execute(manager, 'INSERT INTO things (id, n) VALUES (1, 1)');
      return execute(manager, `${insertOrIgnore} INTO things (id, n) VALUES (1, 9), (2, 9)`);
    });

    expect(written.affected).toBe(1);
    expect(await open.reader.query('SELECT id, n FROM things ORDER BY id')).toEqual([
      { id: 1, n: 1 },
      { id: 2, n: 9 },
    ]);
  });

  it('locks what it reads, and joins in the order that it is given', async () => {
    const { lockForUpdate, lockInShareMode, orderedJoin } = open.writer.dialect;

    const rows = await open.units.run(async (manager) => {
      await execute(manager, 'INSERT INTO things (id, n) VALUES (1, 1)');
      return [
        await select(manager, `SELECT n FROM things WHERE id = 1${lockForUpdate}`),
        await select(manager, `SELECT n FROM things WHERE id = 1${lockInShareMode}`),
        await select(manager, `SELECT a.n FROM things a ${orderedJoin} things b ON b.id = a.id`),
      ];
    });

    expect(rows).toEqual([[{ n: 1 }], [{ n: 1 }], [{ n: 1 }]]);
  });

  it('lets one process at a time do what must be done alone', async () => {
    const { dialect } = open.writer;
    const other = await openSecondWriter();
    const order: string[] = [];
    const alone = async (source: typeof other, name: string): Promise<void> => {
      const runner = source.createQueryRunner();
      await dialect.exclusively(runner, async () => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 50));
        order.push(`${name} ends`);
      });
      await runner.release();
    };

    await alone(open.writer.source, 'one');
    await alone(other, 'two');
    await Promise.all([
      alone(open.writer.source, 'three'),
      open.writer.dialect.hasOneWriter ? null : alone(other, 'four'),
    ]);

    expect(order.filter((_, index) => index % 2 === 0).map((step) => step.split(' ')[0])).toEqual(
      order.filter((_, index) => index % 2 === 1).map((step) => step.split(' ')[0]),
    );
    await other.destroy();
  });

  it('waits shortly for tables to change, and then as long as the change takes', async () => {
    if (open.writer.dialect.hasOneWriter) return;
    const runner = open.writer.source.createQueryRunner();
    const limits = async () => {
      const names = "'lock_wait_timeout', 'max_statement_time', 'max_execution_time'";
      const rows = await runner.query(`SHOW VARIABLES WHERE Variable_name IN (${names})`);
      return rows.map(({ Value }: { Value: string }) => Number(Value));
    };
    const ofDriver = () => (runner.dataSource.driver.options as { enableQueryTimeout?: boolean }).enableQueryTimeout;

    const within = await open.writer.dialect.exclusively(runner, async () => [...(await limits()), ofDriver()]);

    expect(within).toEqual([2, 0, false]);
    expect([...(await limits()), ofDriver()]).toEqual([5, expect.any(Number), true]);
    expect((await limits())[1]).toBeGreaterThan(0);
    await runner.release();
  });

  it('lets go of what it held alone when the work fails', async () => {
    const runner = open.writer.source.createQueryRunner();
    const failing = open.writer.dialect.exclusively(runner, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await runner.release();

    const again = open.writer.source.createQueryRunner();
    expect(await open.writer.dialect.exclusively(again, () => Promise.resolve('done'))).toBe('done');
    await again.release();
  });

  it('does not write through the connection that reads', async () => {
    if (!open.writer.dialect.hasOneWriter) return;

    await expect(open.reader.query('INSERT INTO things (id, n) VALUES (5, 5)')).rejects.toThrow(/readonly/);
  });

  async function openSecondWriter(): Promise<typeof open.reader> {
    const { openDataSource } = await import('./data-source.js');
    return openDataSource(open.writer.dialect.writerOptions());
  }
});
