import { Writer } from '../../../src/database/statements/writer.js';
import { expectError } from '../../support/errors.js';
import { runner } from '../../support/cli-runner.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { createTestFile, type TestDatabase } from '../../support/test-database.js';

const RECORDS = 60;
/** Pages of the index. The first ten rows are what FTS5 says of the index as a whole. */
const LOSE_PAGES = 'DELETE FROM search_index_data WHERE id > 10';
/** Without its version FTS5 opens no index, nor one of a version that it does not know. */
const LOSE_SETTINGS = 'DELETE FROM search_index_config';
const OTHER_VERSION = "UPDATE search_index_config SET v = 99 WHERE k = 'version'";
const DROP_SETTINGS = 'DROP TABLE search_index_config';
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

  it('is named without its settings too, and a service that starts with it answers all but searches and writes', async () => {
    await damage(LOSE_SETTINGS);
    const started = await startTestApp({ DATABASE_URL: file.url, RATE_LIMITS: 'off' });

    const answers = [
      await started.http().get('/api/cms/search?q=words'),
      await started.http().post('/api/cms/post').send({ title: 'One more' }),
    ];
    await started.http().get('/api/cms/post').expect(200);
    await started.close();
    const { code, out } = await run('doctor');

    for (const answer of answers) expectError(answer, 'search_unavailable');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^fail {2}file +The full-text index is damaged: .*invalid fts5 file format.*doctor --repair\.$/m,
    );
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

  it.each([
    ['doctor --repair', 3, [LOSE_SETTINGS]],
    ['doctor --repair', 3, [OTHER_VERSION]],
    ['doctor --repair', 3, [DROP_SETTINGS]],
    ['search reindex', 0, [LOSE_SETTINGS]],
    ['search reindex', 0, [DROP_SETTINGS, LOSE_PAGES]],
  ])('is made anew by %s without its settings too', async (command, exit, statements) => {
    await damage(...statements);
    expect((await run('doctor')).out).toMatch(/^fail {2}file +The full-text index is damaged: /m);

    const { code } = await run(command);

    expect(code).toBe(exit);
    expect((await search().expect(200)).body.meta.total).toBe(RECORDS);
    const after = await run('doctor --deep');
    expect(after.out.split('\n').filter((line) => line.startsWith('fail'))).toEqual([]);
  });
});
