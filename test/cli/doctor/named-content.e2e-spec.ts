import type { SqlValue } from '../../../src/database/statements/statement.js';
import { Writer } from '../../../src/database/statements/writer.js';
import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('doctor names content that a statement by hand has spoilt', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;
  const ids: number[] = [];

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    run = runner({ DATABASE_URL: service.database.url, API_TOKENS: '' });
    for (let n = 0; n < 3; n++) {
      const post = { title: `Number ${n}`, status: 'published', terms: { tag: ['red'] } };
      const { body } = await service.http().post('/api/cms/post').send(post).expect(201);
      ids.push((body as { data: { id: number } }).data.id);
    }
  });
  afterAll(() => service.close());

  const query = <Rows>(sql: string, values: readonly SqlValue[] = []): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);

  it('names a record of an unknown status, and indexes the others of its type', async () => {
    const [strange = 0] = ids;
    const [{ status }] = await query<[{ status: string }]>('SELECT status FROM records WHERE id = ?', [strange]);
    await query("UPDATE records SET status = 'weird' WHERE id = ?", [strange]);

    const repaired = await run('doctor --repair');
    const reindexed = await run('search reindex --type post');

    expect(repaired.out).toMatch(
      new RegExp(`^fail {2}ownerless +There are 1 records of an unknown status.*: ${strange}\\.`, 'm'),
    );
    expect(repaired.out).not.toContain('The repair failed');
    expect([repaired.code, reindexed.code]).toEqual([1, 0]);
    expect((await run('doctor')).out).toMatch(/^ok {4}search +each record is found$/m);
    await query('UPDATE records SET status = ? WHERE id = ?', [status, strange]);
    expect((await run('doctor --repair')).code).toBe(3);
  });

  it('names a term that is gone and still assigned, and leaves the assignment', async () => {
    const [term] = await query<[{ id: number }]>("SELECT * FROM terms WHERE name = 'red'");
    await query('DELETE FROM terms WHERE id = ?', [term.id]);

    const { code, out } = await run('doctor');

    expect(out).toMatch(
      new RegExp(`^fail {2}ownerless +There are 1 terms that are gone and still assigned.*: ${term.id}\\.`, 'm'),
    );
    expect(code).toBe(1);
    const columns = Object.keys(term);
    const values = Object.values(term) as SqlValue[];
    await query(`INSERT INTO terms (${columns.join()}) VALUES (${columns.map(() => '?').join()})`, values);
    expect((await run('doctor')).code).toBe(0);
  });
});
