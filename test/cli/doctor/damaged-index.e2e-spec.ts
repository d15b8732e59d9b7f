import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writer } from '../../../src/database/statements/writer.js';
import { IndexingJobs } from '../../../src/search/indexing/indexing-jobs.js';
import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { createTestFile, type TestDatabase } from '../../support/test-database.js';

const RECORDS = 60;
/** Pages of the index. The first ten rows are what FTS5 says of the index as a whole. */
const LOSE_PAGES = 'DELETE FROM search_index_data WHERE id > 10';
describe('A damaged full-text index of SQLite', () => {
  let file: TestDatabase;
  let service: TestApp;
  let run: ReturnType<typeof runner>;

  beforeAll(async () => {
    file = createTestFile();
    run = runner({ DATABASE_URL: file.url, API_TOKENS: '' });
    await run('migrate');
    service = await startTestApp({ DATABASE_URL: file.url, RATE_LIMITS: 'off' });
    for (let n = 0; n < RECORDS; n++) {
      const post = { title: `Number ${n}`, body: 'Words to be found', status: 'published' };
      await service.http().post('/api/cms/post').send(post).expect(201);
    }
  });
  afterAll(async () => {
    await service.close();
    await file.drop();
  });

  const damage = async (sql: string): Promise<void> => {
    const { source } = service.app.get(Writer, { strict: false });
    const { databaseConnection: file } = source.driver as unknown as {
      databaseConnection: { unsafeMode(on: boolean): void };
    };
    // Else SQLite refuses to write to the tables inside of an index.
    file.unsafeMode(true);
    await source.query(sql);
    file.unsafeMode(false);
  };
  const search = () => service.http().get('/api/cms/search?q=words');

  it('is 503 search_unavailable for searches, and nothing else of the database is lost', async () => {
    await damage(LOSE_PAGES);

    const { body, headers } = await search().expect(503);
    const { code, out } = await run('doctor');

    expect(body).toMatchObject({ error: 'search_unavailable' });
    expect(headers['retry-after']).toBeDefined();
    await service.http().get('/api/cms/post').expect(200);
    expect(code).toBe(1);
    expect(out).toMatch(/^fail {2}file +The file is damaged: /m);
  });

  it('is made anew by a backup that is restored into another file', async () => {
    const copy = createTestFile();
    const folder = mkdtempSync(join(tmpdir(), 'cms-damaged-index-'));
    const backup = join(folder, 'all.backup');
    const there = runner({ DATABASE_URL: copy.url, API_TOKENS: '' });

    expect((await run(`backup ${backup}`)).code).toBe(0);
    expect((await there(`restore ${backup}`)).code).toBe(0);
    const restored = await startTestApp({ DATABASE_URL: copy.url, RATE_LIMITS: 'off' });
    await restored.app.get(IndexingJobs, { strict: false }).drain();

    const found = await restored.http().get('/api/cms/search?q=words').expect(200);
    expect(found.body.meta.total).toBe(RECORDS);
    await restored.close();
    await copy.drop();
    await rm(folder, { recursive: true });
  });
});
