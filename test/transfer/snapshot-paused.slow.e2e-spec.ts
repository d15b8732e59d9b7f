import { setTimeout as sleep } from 'node:timers/promises';
import { readDatabase } from '../../src/config/settings.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { Writer } from '../../src/database/statements/writer.js';
import { withSnapshot } from '../../src/transfer/backup/backup.js';
import { OwnServer } from '../support/own-server.js';

/** Longer than a server waits for the next statement of a session. */
const PAUSE_MS = 75_000;

describe('A backup', () => {
  let server: OwnServer;

  beforeAll(async () => {
    server = await OwnServer.start();
  });

  afterAll(() => server.stop());

  it('goes on where what it writes to has taken nothing for more than a minute', async () => {
    const dialect = dialectFor(readDatabase('test', { DATABASE_URL: server.url }));
    const writer = await Writer.open(dialect);
    await migrate(writer);
    await writer.onApplicationShutdown();

    const read = withSnapshot(dialect, async ({ runner }) => {
      await sleep(PAUSE_MS);
      return runner.query('SELECT COUNT(*) AS n FROM records');
    });

    expect(await read).toEqual([{ n: expect.anything() }]);
  });
});
