import { Clock } from '../../../src/common/clock.js';
import type { SqlValue } from '../../../src/database/statements/statement.js';
import { Writer } from '../../../src/database/statements/writer.js';
import { runner } from '../../support/cli-runner.js';
import { ago } from '../../support/clock.js';
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
    const old = ago(600_000);
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

    expect(out).toMatch(/^fail {2}clock +The record that was changed last was changed 7(200|1\d\d) s from now/m);
    await query('UPDATE records SET updated_at = created_at');
  });

  it('says that records stay in the trash for too long', async () => {
    const made = await service.http().post('/api/cms/post').send({ title: 'Old' }).expect(201);
    const { id } = (made.body as { data: { id: number } }).data;
    await service.http().delete(`/api/cms/post/${id}`).expect(204);
    const days = 86_400_000;
    await query('UPDATE records SET trashed_at = ? WHERE id = ?', [ago(30 * days), id]);
    expect((await run('doctor')).out).toMatch(/^ok {4}jobs +nothing that jobs do is overdue$/m);
    await query('UPDATE records SET trashed_at = ? WHERE id = ?', [ago(32 * days), id]);

    const { code, out } = await run('doctor');

    expect(out).toMatch(/^fail {2}jobs +records\.purge-trash is late: 1 records have been in the trash/m);
    expect(code).toBe(1);
    await query('DELETE FROM records WHERE id = ?', [id]);
  });

  it('says that changes of counts are not folded in', async () => {
    const rows = Array.from({ length: 1_000 }, () => "(1, 'draft', 0, 0)").join(', ');
    const into = 'INSERT INTO record_deltas (type_id, status, term_id, d) VALUES';
    await query('CREATE TABLE waiting_deltas (n INTEGER)');
    await query(`INSERT INTO waiting_deltas (n) VALUES ${Array.from({ length: 60 }, () => '(1)').join(', ')}`);
    await query(`${into} ${rows}`);
    await query(
      `INSERT INTO record_deltas (type_id, status, term_id, d)
       SELECT type_id, status, term_id, d FROM record_deltas, waiting_deltas`,
    );

    const { out } = await run('doctor');

    expect(out).toMatch(/^fail {2}jobs +records\.fold-counts is late: more than 50000 changes of counts wait/m);
    await query('DELETE FROM record_deltas');
    await query('DROP TABLE waiting_deltas');
  });

  it('says that a disk is full', async () => {
    const full = runner({ DATABASE_URL: service.database.url, DATA_DIR: '/proc' });

    const { code, out } = await full('doctor');

    expect(out).toMatch(/^fail {2}disk +Only 0 MiB are free in \/proc, less than 256/m);
    expect(code).toBe(1);
  });
});
