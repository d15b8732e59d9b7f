import { Clock } from '../../../src/common/clock.js';
import type { SqlValue } from '../../../src/database/statements/statement.js';
import { Writer } from '../../../src/database/statements/writer.js';
import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('doctor', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    run = runner({ DATABASE_URL: service.database.url });
  });
  afterAll(() => service.close());

  const query = (sql: string, values: readonly SqlValue[] = []): Promise<unknown> =>
    service.app.get(Writer, { strict: false }).source.query(sql, [...values]);

  it('says that mails are stuck, and why the oldest is', async () => {
    const old = Date.now() - 600_000;
    await query(
      'INSERT INTO mail_queue (content, due_at, expires_at, attempts, created_at, last_error) VALUES (?, ?, ?, 3, ?, ?)',
      [Buffer.from('x'), Date.now() + 60_000, Date.now() + 600_000, old, '450 try later'],
    );

    const { code, out } = await run('doctor');

    expect(out).toMatch(
      /^fail {2}letters +Mails that have waited for more than five minutes: 1\. The oldest failed with: 450 try later$/m,
    );
    expect(code).toBe(1);
    await query('DELETE FROM mail_queue');
  });

  it('says that a record was changed in the future, as a clock that jumped leaves it', async () => {
    await service.http().post('/api/cms/post').send({ title: 'Ahead' }).expect(201);
    await query('UPDATE records SET updated_at = ?', [service.app.get(Clock).now() + 7_200_000]);

    const { out } = await run('doctor');

    expect(out).toMatch(/^fail {2}clock +The record that was changed last was changed (7200|7199|7198) s from now/m);
    await query('UPDATE records SET updated_at = created_at');
  });

  it('says that an instance lives on with tables of an older version', async () => {
    await query(
      "INSERT INTO instances (id, version, schema_name, host, started_at, seen_at) VALUES ('old', '0.0.1', 'Records1790000000003', 'left-over', 1, ?)",
      [Date.now() + 3_600_000],
    );

    const { out } = await run('doctor');

    expect(out).toMatch(/^fail {2}instances +left-over: version 0\.0\.1 .* knows none of the tables since/m);
    await query("DELETE FROM instances WHERE id = 'old'");
  });

  it('says that a disk is full', async () => {
    const full = runner({ DATABASE_URL: service.database.url, DATA_DIR: '/proc' });

    const { code, out } = await full('doctor');

    expect(out).toMatch(/^fail {2}disk +Only 0 MiB are free in \/proc, less than 256/m);
    expect(code).toBe(1);
  });
});
