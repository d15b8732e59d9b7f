import type { Pool } from 'mysql2';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PacketLimit } from '../statements/packets.js';
import { MysqlDialect } from './mysql.js';
import { Demotions, mysqlDriver } from './mysql-driver.js';

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

  it('is waited for eight seconds where the pool has none, and not longer', async () => {
    const { createPool } = mysqlDriver({ demotions: new Demotions(), packets: new PacketLimit() }) as {
      createPool: (options: object) => Pool;
    };
    const accepted = once(server, 'connection');
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
    const pool = createPool({ host: '127.0.0.1', port, user: 'x', connectTimeout: 60_000 });
    const answers: unknown[] = [];
    pool.getConnection((error) => answers.push(error));
    await accepted;

    await jest.advanceTimersByTimeAsync(7_999);
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

  it('is given up after five seconds, and one whose query is not answered after fifteen', () => {
    const dialect = new MysqlDialect('mysql://root@127.0.0.1:1/cms', 'a server', null);

    for (const options of [dialect.writerOptions(), dialect.readerOptions(), dialect.soleOptions()]) {
      expect(options).toMatchObject({ connectTimeout: 5_000, maxQueryExecutionTime: 15_000 });
    }
  });
});
