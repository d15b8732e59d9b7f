import { join } from 'node:path';
import { runner } from '../support/cli-runner.js';
import { folderOf } from '../support/import-files.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const FIELDS = [
  { name: 'note', type: 'string' },
  { name: 'words', type: 'list', of: 'string' },
];

/** What a spreadsheet would run, and what looks as if it were guarded already. */
const HARD_TEXTS = ['=1+1', "'\n=1", "'=1", "''\n@x", '+49 30', "'a", '\t-1', '- item\n- item', ' \n\ntext \n'];

/** What an export writes, an import into another database makes again. */
describe('An export that is imported elsewhere', () => {
  let here: TestApp;
  let there: TestApp;
  let records: Historian;

  beforeAll(async () => {
    [here, there] = await Promise.all([startTestApp({ RATE_LIMITS: 'off' }), startTestApp({ RATE_LIMITS: 'off' })]);
    records = new Historian(here);
    for (const service of [here, there]) {
      await service.http().put('/api/admin/types/post').send({ fields: FIELDS }).expect(200);
    }
    for (const [n, text] of HARD_TEXTS.entries()) {
      const published_at = `20${10 + n}-01-02T03:04:05.678Z`;
      const body = { title: `Text ${n}`, body: text, note: text.replace(/[\n\t]/g, ''), words: ['a|b', text.trim()] };
      await records.create({ ...body, status: 'published', published_at });
    }
    await records.create({ title: 'Draft', note: ' spaces  ', words: ['c'] });
    const archived = await records.create({
      title: 'Archived',
      status: 'published',
      published_at: '2009-01-01T00:00:00Z',
    });
    await records.update(archived, { status: 'archived' });
  });
  afterAll(() => Promise.all([here.close(), there.close()]));

  const contentsOf = async (service: TestApp): Promise<object[]> => {
    const { body } = await service.http().get('/api/cms/post?per_page=100&sort=title').expect(200);
    return (body.data as Record<string, unknown>[]).map(
      ({ title, slug, body: text, note, words, status, published_at, created_at }) => ({
        ...{ title, slug, body: text, note, words, status, published_at, created_at },
      }),
    );
  };

  it.each([
    ['csv', 'post.csv', 'post.csv'],
    ['markdown', '.', 'post'],
  ])('comes back from %s with every value and both of its times', async (format, out, name) => {
    const folder = folderOf({});
    const run = (service: TestApp) => runner({ DATABASE_URL: service.database.url });

    expect(
      (await run(here)(['export', '--out', join(folder.path, out), '--format', format, '--type', 'post'])).code,
    ).toBe(0);
    const imported = await run(there)(['import', join(folder.path, name), '--type', 'post', '--json']);
    folder.remove();

    expect([imported.code, JSON.parse(imported.out).counts]).toEqual([
      0,
      expect.objectContaining({ created: 11, refused: 0 }),
    ]);
    expect(await contentsOf(there)).toEqual(await contentsOf(here));
    const { body } = await there.http().get('/api/cms/post?per_page=100').expect(200);
    for (const { id } of body.data) await there.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);
  });
});
