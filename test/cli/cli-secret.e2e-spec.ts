import { runner } from '../support/cli-runner.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { Writer } from '../../src/database/statements/writer.js';

const SECRET = 'the-secret-of-today-0123456789-abcdef';

describe('The command secret replace', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => database.drop());

  async function query<Row>(sql: string): Promise<Row> {
    const writer = await Writer.open(dialectFor(database.address));
    try {
      return await writer.source.query<Row>(sql);
    } finally {
      await writer.onApplicationShutdown();
    }
  }

  const secretOfDatabase = () => query('SELECT fingerprint, changed_at FROM app_secret');

  it('leaves the former secret where the audit cannot have the event, and writes both otherwise', async () => {
    const run = runner({ DATABASE_URL: database.url, APP_SECRET: SECRET });
    expect((await run('migrate')).code).toBe(0);
    await query(`INSERT INTO app_secret (id, fingerprint, changed_at) VALUES (1, '${'0'.repeat(64)}', 1)`);
    const before = await secretOfDatabase();
    await query('ALTER TABLE auth_events RENAME TO auth_events_away');

    const refused = await run('secret replace');

    expect(refused.code).toBe(1);
    expect(await secretOfDatabase()).toEqual(before);
    await query('ALTER TABLE auth_events_away RENAME TO auth_events');
    expect((await run('secret replace')).code).toBe(0);
    expect(await secretOfDatabase()).not.toEqual(before);
    expect(await query('SELECT event FROM auth_events')).toEqual([{ event: 'secret.replaced' }]);
  });
});
