import { FrozenProxy } from '../../../test/support/frozen-proxy.js';
import { waitFor } from '../../../test/support/mailbox.js';
import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { asUnavailable } from '../dialect/database-error.js';
import { execute, select } from '../statements/statement.js';
import { MysqlDialect, serversOf } from '../mysql/mysql-dialect.js';

const { TEST_DATABASE_URL: server } = process.env;
const POOL = 10;

it('The driver waits for a statement longer than a server does, and fifteen seconds at most', () => {
  const dialect = new MysqlDialect('mysql://root@127.0.0.1:1/cms', 'a server', null);

  for (const options of [dialect.writerOptions(), dialect.readerOptions(), dialect.soleOptions()]) {
    expect(options).toMatchObject({ maxQueryExecutionTime: 15_000 });
  }
});

// A file cannot hang.
if (server !== undefined) {
  describe('A server that hangs', () => {
    let proxy: FrozenProxy;
    let open: OpenDatabase;

    beforeAll(async () => {
      proxy = await FrozenProxy.start(server);
      process.env.TEST_DATABASE_URL = proxy.url;
      open = await openTestDatabase();
      process.env.TEST_DATABASE_URL = server;
      serversOf(open.writer.dialect)?.watch();
    });

    afterAll(async () => {
      proxy.thaw();
      await open.close();
      await proxy.stop();
    });

    const failureOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null, asClientsHear);
    const asClientsHear = (error: unknown) => asUnavailable(error) ?? error;
    const ask = () => open.reader.query('SELECT 1');
    const isRefused = async () => (await failureOf(ask())) !== null;

    it('is waited for no longer by what it was asked, gets no further connections, and is asked nothing', async () => {
      await Promise.all(Array.from({ length: POOL }, ask));
      const unit = open.units.run(async (manager) => {
        await execute(manager, 'INSERT INTO things (id, n) VALUES (1, 1)');
        proxy.freeze();
      });
      await waitFor(() => Promise.resolve(proxy.isFrozen || null), 'the freeze');

      const [committing, beginning, ...reads] = await Promise.all([
        failureOf(unit),
        failureOf(open.units.run((manager) => select(manager, 'SELECT 1'))),
        ...Array.from({ length: 64 }, () => failureOf(ask())),
      ]);

      expect(committing).toMatchObject({ error: 'outcome_unknown' });
      for (const failure of [beginning, ...reads]) expect(failure).toMatchObject({ error: 'overloaded' });
      for (const failure of await Promise.all(Array.from({ length: 200 }, () => failureOf(ask()))))
        expect(failure).toMatchObject({ error: 'overloaded', headers: { 'Retry-After': '2' } });
      // Both pools, and two connections beside them.
      expect(proxy.most).toBeLessThanOrEqual(2 * POOL + 2);
      expect(serversOf(open.writer.dialect)?.poolStates).toEqual([
        { active: 0, idle: 0, waiting: 0 },
        { active: 0, idle: 0, waiting: 0 },
      ]);
    });

    it('is asked again when it answers', async () => {
      proxy.thaw();

      await waitFor(async () => !(await isRefused()) || null, 'an answer');

      expect(await open.reader.query('SELECT 7 AS n')).toEqual([{ n: 7 }]);
      expect(proxy.most).toBeLessThanOrEqual(2 * POOL + 2);
    });

    it('is not waited for at a stop', async () => {
      const other = await openTestDatabase();
      const hanging = failureOf(other.units.run((manager) => select(manager, 'SELECT SLEEP(60)')));
      await waitFor(() => Promise.resolve(serversOf(other.writer.dialect)?.poolStates[0]?.active === 1 || null), 'it');

      await other.close();

      expect(await hanging).toMatchObject({ error: 'overloaded', cause: { code: 'SERVER_UNREACHABLE' } });
    });
  });
}
