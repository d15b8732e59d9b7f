import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { dialectFor } from '../../src/database/dialect-for.js';
import { readDatabase } from '../../src/config/settings.js';
import { Writer } from '../../src/database/statements/writer.js';
import { execute } from '../../src/database/statements/statement.js';
import { serversOf } from '../../src/database/mysql/mysql-dialect.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { FrozenProxy } from '../support/frozen-proxy.js';
import { OwnServer } from '../support/own-server.js';

/** Longer than the service lets a session say nothing. */
const LIMIT_MS = 75_000;
/** So long after its server is gone the service has followed the address to another one, as documented. */
const FOLLOWED_MS = 25_000;

describe('Sessions of a process that is cut off', () => {
  let server: OwnServer;
  let proxy: FrozenProxy;

  beforeAll(async () => {
    server = await OwnServer.start();
    await server.as('app', 'CREATE TABLE cms.things (id INT PRIMARY KEY, n INT)');
    await server.as('app', 'INSERT INTO cms.things VALUES (1, 0)');
    proxy = await FrozenProxy.start(server.url);
  });

  afterAll(async () => {
    await proxy.stop();
    await server.stop();
  });

  it('are ended by the server, and their locks given back', async () => {
    const writer = await Writer.open(dialectFor(readDatabase('test', { DATABASE_URL: proxy.url })));
    const units = new UnitOfWork(writer);
    await new Promise<void>((held, failed) => {
      const holding = units.run(async (manager) => {
        await execute(manager, 'UPDATE things SET n = 1 WHERE id = 1');
        held();
        await sleep(LIMIT_MS);
      });
      holding.catch(failed);
    });
    proxy.freezeOpen();

    const other = await mysql.createConnection(server.url);
    await other.query(`SET innodb_lock_wait_timeout = ${LIMIT_MS / 1_000}`);
    const asked = performance.now();
    await other.query('UPDATE things SET n = 2 WHERE id = 1');

    expect(performance.now() - asked).toBeGreaterThan(30_000);
    const [rows] = await other.query("SELECT COUNT(*) AS n FROM information_schema.processlist WHERE user = 'app'");
    expect(rows).toEqual([{ n: 1 }]);
    await other.end();
    await writer.onApplicationShutdown().catch(() => undefined);
  });
});

describe('A server whose machine is gone', () => {
  let server: OwnServer;
  let proxy: FrozenProxy;
  let writer: Writer;

  beforeAll(async () => {
    server = await OwnServer.start();
    proxy = await FrozenProxy.start(server.url);
    writer = await Writer.open(dialectFor(readDatabase('test', { DATABASE_URL: proxy.url })));
    serversOf(writer.dialect)?.watch();
    // The first probe is answered.
    await sleep(2_000);
  });

  afterAll(async () => {
    await writer.onApplicationShutdown();
    await proxy.stop();
    await server.stop();
  });

  it('is left for the one that its address leads to by then', async () => {
    const begun = performance.now();
    proxy.freezeOpen();

    const isServed = () =>
      writer.source.query('SELECT 1').then(
        () => true,
        () => false,
      );
    while (!(await isServed())) await sleep(100);

    expect(performance.now() - begun).toBeLessThan(FOLLOWED_MS);
  });
});
