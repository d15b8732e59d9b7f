import type { Pool } from 'mysql2';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { FrozenProxy } from '../../../test/support/frozen-proxy.js';
import { waitFor } from '../../../test/support/mailbox.js';
import { openTestDatabase, type OpenDatabase } from '../../../test/support/open-database.js';
import { asUnavailable } from '../dialect/database-error.js';
import { MysqlDialect } from './mysql-dialect.js';
import { Host } from './host.js';
import { mysqlDriver } from './mysql-driver.js';
import { serversOf } from './mysql-dialect.js';
import { Servers } from './servers.js';

/** How a server refuses a client before it has said anything else: error 1040. */
const TOO_MANY_CONNECTIONS = Buffer.from([4, 0, 0, 0, 0xff, 0x10, 0x04, 0x78]);

describe('A connection to a server that says nothing', () => {
  let server: Server;
  let port: number;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    server = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(async () => {
    jest.useRealTimers();
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  it('is waited for three seconds where the pool has none, and not longer', async () => {
    const { createPool } = mysqlDriver(new Servers()) as {
      createPool: (options: object) => Pool;
    };
    const accepted = once(server, 'connection');
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date'] });
    const pool = createPool({ host: '127.0.0.1', port, user: 'x', connectionLimit: 10, queueLimit: 100 });
    const answers: unknown[] = [];
    pool.getConnection((error) => answers.push(error));
    await accepted;

    await jest.advanceTimersByTimeAsync(2_999);
    expect(answers).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);

    expect(answers).toMatchObject([{ code: 'POOL_TIMEOUT' }]);
    jest.useRealTimers();
    const closed = sockets.map((socket) => once(socket.end(TOO_MANY_CONNECTIONS), 'close'));
    await Promise.all(closed);
    await new Promise<void>((resolve) => {
      pool.end(() => {
        resolve();
      });
    });
  });

  it('is asked nothing for longer than fifteen seconds', () => {
    const dialect = new MysqlDialect('mysql://root@127.0.0.1:1/cms', 'a server', null);

    for (const options of [dialect.writerOptions(), dialect.readerOptions(), dialect.soleOptions()]) {
      expect(options).toMatchObject({ maxQueryExecutionTime: 15_000 });
    }
  });
});

const { TEST_DATABASE_URL: server } = process.env;
const TIME_LIMIT_MS = 500;
const POOL = 10;

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
      Object.assign(open.reader.driver.options, { maxQueryExecutionTime: TIME_LIMIT_MS });
    });

    afterEach(() => jest.restoreAllMocks());
    afterAll(async () => {
      proxy.thaw();
      await open.close();
      await proxy.stop();
    });

    const ask = () => open.reader.query('SELECT 1');
    const failureOf = async (): Promise<unknown> => ask().catch((error: unknown) => error);
    const isRefused = async () => asUnavailable(await failureOf())?.headers?.['Retry-After'] === '2' || null;

    it('gets no further connections, and requests are refused at once until it answers', async () => {
      await Promise.all(Array.from({ length: POOL }, ask));
      proxy.freeze();

      const failures = await Promise.all(Array.from({ length: 64 }, failureOf));
      expect(failures.map((error) => asUnavailable(error)?.error)).toEqual(failures.map(() => 'overloaded'));
      await waitFor(isRefused, 'the refusal of requests');
      await Promise.all(Array.from({ length: 200 }, failureOf));

      // Both pools, and two connections for probes and for ending statements.
      expect(proxy.most).toBeLessThanOrEqual(2 * POOL + 2);
    });

    it('is asked again when it answers', async () => {
      proxy.thaw();

      await waitFor(async () => (await isRefused()) === null || null, 'an answer');

      expect(await open.reader.query('SELECT 7 AS n')).toEqual([{ n: 7 }]);
      expect(proxy.most).toBeLessThanOrEqual(2 * POOL + 2);
    });

    it('is left for the server that its name leads to by then, and gives its places back', async () => {
      const slowly = () => open.reader.query('SELECT CONNECTION_ID() AS id, SLEEP(0.3)');
      const allPlaces = async () => {
        const answers = await Promise.allSettled(Array.from({ length: POOL }, slowly));
        const ids = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value[0].id as number] : []));
        return new Set(ids).size === POOL;
      };
      await waitFor(async () => (await allPlaces()) || null, 'all connections');

      const probes = jest.spyOn(Host.prototype, 'probe');
      const probed = (count: number) =>
        waitFor(() => Promise.resolve(probes.mock.results.length >= count || null), `probe ${count}`);
      serversOf(open.writer.dialect)?.watch();
      await probed(1);
      await Promise.all(probes.mock.results.map(({ value }) => value));

      proxy.freezeOpen();
      // The next probe has no answer either.
      await probed(probes.mock.results.length + 1);
      await Promise.all(Array.from({ length: POOL }, failureOf));

      await waitFor(async () => (await allPlaces()) || null, 'all places at the other server');
    });
  });
}
