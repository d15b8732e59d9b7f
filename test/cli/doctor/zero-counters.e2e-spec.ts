import type { SqlValue } from '../../../src/database/statements/statement.js';
import { Writer } from '../../../src/database/statements/writer.js';
import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('doctor --repair', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    run = runner({ DATABASE_URL: service.database.url, API_TOKENS: '' });
    const post = { title: 'Red', status: 'published', terms: { tag: ['red'] } };
    await service.http().post('/api/cms/post').send(post).expect(201);
  });
  afterAll(() => service.close());

  const query = <Rows>(sql: string, values: readonly SqlValue[] = []): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);

  it('leaves no rows of 0 of counters that it has put right', async () => {
    const [{ id: typeId }] = await query<[{ id: number }]>("SELECT id FROM content_types WHERE name = 'post'");
    // More than one statement deletes.
    const rows = Array.from({ length: 450 }, (_, at) => `(${900_000 + at}, ${typeId}, 'draft', 3)`);
    await query(`INSERT INTO term_counts (term_id, type_id, status, n) VALUES ${rows.join(', ')}`);
    await query("INSERT INTO record_counts (type_id, status, n) VALUES (?, 'archived', 3)", [typeId]);

    const { code, out } = await run('doctor --repair');

    expect(out).toMatch(/^done {2}counts +recounted 450 of term_counts$/m);
    expect([code, out.split('\n').filter((line) => line.startsWith('fail'))]).toEqual([3, []]);
    expect(await query('SELECT * FROM term_counts WHERE n = 0')).toEqual([]);
    expect(await query("SELECT * FROM record_counts WHERE n = 0 AND status = 'archived'")).toEqual([]);
    expect((await run('doctor --deep')).code).toBe(0);
    const { body } = await service.http().get('/api/cms/post').expect(200);
    expect(body.meta.total).toBe(1);
  });
});
