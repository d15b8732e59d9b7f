import type { SqlValue } from '../../../src/database/statements/statement.js';
import { Writer } from '../../../src/database/statements/writer.js';
import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('doctor names definitions that a statement by hand has spoilt', () => {
  let service: TestApp;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    run = runner({ DATABASE_URL: service.database.url, API_TOKENS: '' });
    const fields = [{ name: 'price', type: 'integer', indexed: true }];
    await service.http().put('/api/admin/types/post').send({ fields }).expect(200);
    await service.http().post('/api/cms/post').send({ title: 'One', price: 1 }).expect(201);
  });
  afterAll(() => service.close());

  const query = <Rows>(sql: string, values: readonly SqlValue[] = []): Promise<Rows> =>
    service.app.get(Writer, { strict: false }).source.query<Rows>(sql, [...values]);

  it.each([
    ['content_types', 'post', '{"label":', 'content type post'],
    ['content_types', 'post', '[]', 'content type post'],
    ['content_types', 'post', '{"label":"Post"}', 'content type post'],
    ['content_fields', 'price', 'indexed', 'field post.price'],
    ['content_fields', 'price', 'null', 'field post.price'],
  ])('in the options of %s (%s): %s', async (table, name, broken, owner) => {
    const rows = await query<{ id: number; options: string }[]>(`SELECT id, options FROM ${table} WHERE name = ?`, [
      name,
    ]);
    const [{ id, options } = { id: 0, options: '' }] = rows;
    await query(`UPDATE ${table} SET options = ? WHERE id = ?`, [broken, id]);

    const found = await run('doctor --deep');
    const repaired = await run('doctor --repair');

    const says = `^fail {2}types +The options of the ${owner} are damaged \\(table ${table}, id ${id}, column options\\)\\. Restore a backup into another database`;
    expect(found.out).toMatch(new RegExp(says, 'm'));
    expect(repaired.out).toMatch(new RegExp(says, 'm'));
    expect([found.code, repaired.code]).toEqual([1, 1]);
    for (const { out, error } of [found, repaired]) {
      expect(out + error).not.toMatch(/Unexpected|is not valid JSON|undefined|^ +at /m);
    }
    await query(`UPDATE ${table} SET options = ? WHERE id = ?`, [options, id]);
    expect((await run('doctor')).code).toBe(0);
  });
});
