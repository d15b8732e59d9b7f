import { Writer } from '../../../src/database/statements/writer.js';
import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { createTestFile, type TestDatabase } from '../../support/test-database.js';

const RECORDS = 60;
/** Pages of the index. The first ten rows are what FTS5 says of the index as a whole. */
const LOSE_PAGES = 'DELETE FROM search_index_data WHERE id > 10';
const LOSE_DOCUMENTS = 'DELETE FROM search_index_docsize WHERE id % 3 = 0';

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

  const damage = async (...statements: string[]): Promise<void> => {
    const { source } = service.app.get(Writer, { strict: false });
    const { databaseConnection: file } = source.driver as unknown as {
      databaseConnection: { unsafeMode(on: boolean): void };
    };
    // Else SQLite refuses to write to the tables inside of an index.
    file.unsafeMode(true);
    for (const sql of statements) await source.query(sql);
    file.unsafeMode(false);
  };
  const search = () => service.http().get('/api/cms/search?q=words');

  it('is 503 search_unavailable for searches, and what doctor says can be mended', async () => {
    await damage(LOSE_PAGES);

    const { body, headers } = await search().expect(503);
    const { code, out } = await run('doctor');

    expect(body).toMatchObject({ error: 'search_unavailable' });
    expect(headers['retry-after']).toBeDefined();
    expect(code).toBe(1);
    expect(out).toMatch(/^fail {2}file +The full-text index is damaged: .*Run: npm run cli -- doctor --repair\.$/m);
    expect(out).not.toContain('restore the last backup');
  });

  it.each([
    ['doctor --repair', 3, [LOSE_PAGES]],
    ['doctor --repair', 3, [LOSE_PAGES, LOSE_DOCUMENTS]],
    ['search reindex', 0, [LOSE_PAGES]],
    ['search reindex', 0, [LOSE_PAGES, LOSE_DOCUMENTS]],
  ])('is made anew by %s, while the service runs', async (command, exit, statements) => {
    await damage(...statements);
    await search().expect(503);

    const { code } = await run(command);

    expect(code).toBe(exit);
    expect((await search().expect(200)).body.meta.total).toBe(RECORDS);
    const after = await run('doctor --deep');
    expect(after.out.split('\n').filter((line) => line.startsWith('fail'))).toEqual([]);
  });
});
