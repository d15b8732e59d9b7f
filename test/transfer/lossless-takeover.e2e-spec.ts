import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runner } from '../support/cli-runner.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const FIELDS = [
  { name: 'subtitle', type: 'string' },
  { name: 'rank', type: 'integer', indexed: true },
];

describe('A lossless import into a running service that has an unused type of the same name', () => {
  let source: TestApp;
  let running: TestApp;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-takeover-'));
    source = await startTestApp();
    running = await startTestApp();
    await source.http().post('/api/admin/types').send({ name: 'article', fields: FIELDS }).expect(201);
    await source.http().post('/api/cms/article').send({ title: 'First', subtitle: 'Sub', rank: 2 }).expect(201);
    await running.http().post('/api/admin/types').send({ name: 'article' }).expect(201);
    await running.http().get('/api/cms/article').expect(200);
  });

  afterAll(async () => {
    await source.close();
    await running.close();
    rmSync(folder, { recursive: true });
  });

  it('takes the records, and every process knows the fields', async () => {
    const path = join(folder, 'all.ndjson');
    expect((await runner({ DATABASE_URL: source.database.url })(['export', '--out', path])).code).toBe(0);

    const { code, out } = await runner({ DATABASE_URL: running.database.url })(['import', path, '--json']);

    expect([code, JSON.parse(out)]).toMatchObject([0, { counts: { created: 1, refused: 0 }, problems: [] }]);
    const written = await running.http().post('/api/cms/article').send({ title: 'Second', subtitle: 'Other', rank: 1 });
    expect([written.status, written.body.data.subtitle]).toEqual([201, 'Other']);
    const { body } = await running.http().get('/api/cms/article?sort=rank');
    expect(body.data.map(({ subtitle }: { subtitle: string }) => subtitle)).toEqual(['Other', 'Sub']);
  });
});
