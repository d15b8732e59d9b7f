import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataSource } from '../../src/database/schema/data-source.js';
import { dialectFor } from '../../src/database/dialect/dialect-for.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { Writer } from '../../src/database/statements/writer.js';
import { runner, type Ran } from '../support/cli-runner.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestFile, type TestDatabase } from '../support/test-database.js';

const PAGES = 'SELECT page_size FROM pragma_page_size';
/** Tables whose key is one column of whole numbers and has an index of its own beside the table. */
const KEYS_BESIDE = `
  SELECT m.name FROM sqlite_master m JOIN pragma_index_list(m.name) i ON i.origin = 'pk'
    JOIN pragma_table_info(m.name) c ON c.pk = 1
   WHERE m.type = 'table' AND c.type IN ('bigint', 'int', 'integer')
     AND NOT EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE pk = 2)`;

describe('A file of SQLite', () => {
  const files: TestDatabase[] = [];

  afterAll(async () => {
    for (const file of files) await file.drop();
  });

  function emptyFile(): TestDatabase {
    const file = createTestFile();
    files.push(file);
    return file;
  }

  async function migrated(file: TestDatabase): Promise<Writer> {
    const writer = await Writer.open(dialectFor(file.address));
    await migrate(writer);
    return writer;
  }

  /** As earlier versions created it: pages of 4 KiB, and contents that are found by an index beside them. */
  async function earlierFile(): Promise<TestDatabase> {
    const file = emptyFile();
    const source = await openDataSource({
      ...dialectFor(file.address).writerOptions(),
      prepareDatabase: (connection: { pragma(text: string): unknown }) => connection.pragma('page_size = 4096'),
    } as Parameters<typeof openDataSource>[0]);
    await source.query('CREATE TABLE first (id INTEGER PRIMARY KEY)');
    await source.query('DROP TABLE first');
    await source.destroy();
    const writer = await migrated(file);
    await writer.source.query('DROP TABLE record_contents');
    await writer.source.query(
      `CREATE TABLE record_contents ("record_id" bigint PRIMARY KEY NOT NULL, "body" mediumtext, "data" mediumtext NOT NULL,
         "trashed_slug" varchar(191), terms text NULL)`,
    );
    await writer.onApplicationShutdown();
    return file;
  }

  async function layoutOf(file: TestDatabase): Promise<unknown> {
    const source = await openDataSource(dialectFor(file.address).readerOptions());
    const pages = await source.query<{ page_size: number }[]>(PAGES);
    const beside = await source.query<{ name: string }[]>(KEYS_BESIDE);
    await source.destroy();
    return { pageSize: pages[0]?.page_size, keysBeside: beside.map(({ name }) => name) };
  }

  it('has pages of 8 KiB, and finds each row by its id without an index, when this version has created it', async () => {
    const file = emptyFile();
    await (await migrated(file)).onApplicationShutdown();

    expect(await layoutOf(file)).toEqual({ pageSize: 8_192, keysBeside: [] });
  });

  describe('of an earlier version', () => {
    let file: TestDatabase;
    let service: TestApp;
    let folder: string;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'cms-files-'));
      file = await earlierFile();
      service = await startTestApp({ DATABASE_URL: file.url });
    });

    afterAll(async () => {
      await service.close();
      rmSync(folder, { recursive: true });
    });

    const done = async (running: Promise<Ran>): Promise<Record<string, unknown>> => {
      const { code, out, error } = await running;
      expect({ code, error }).toEqual({ code: 0, error: '' });
      return JSON.parse(out) as Record<string, unknown>;
    };

    it('keeps its layout, and is read and written as any other', async () => {
      const http = service.http();
      const { body: created } = await http.post('/api/cms/post').send({ title: 'One', body: 'first' }).expect(201);
      const { id } = created.data as { id: number };
      await http.patch(`/api/cms/post/${id}`).send({ body: 'second' }).expect(200);
      await http.post('/api/cms/post').send({ title: 'Two', body: 'other', status: 'published' }).expect(201);
      await http.delete(`/api/cms/post/${id}`).expect(204);
      await http.post(`/api/cms/post/${id}/restore`).expect(200);

      const { body: read } = await http.get(`/api/cms/post/${id}`).expect(200);
      const { body: list } = await http.get('/api/cms/post?sort=id&status=draft,published').expect(200);

      expect(read.data).toMatchObject({ title: 'One', body: 'second' });
      expect(list.data.map(({ body }: { body: string }) => body)).toEqual(['second', 'other']);
      expect(await layoutOf(file)).toEqual({ pageSize: 4_096, keysBeside: ['record_contents'] });
    });

    it('gets the layout of this one by a backup that is restored into a new file', async () => {
      const path = join(folder, 'backup');
      const target = emptyFile();

      await done(runner({ DATABASE_URL: file.url })(['backup', path, '--json']));
      const { differing } = await done(runner({ DATABASE_URL: target.url })(['restore', path, '--verify', '--json']));

      expect(differing).toEqual([]);
      expect(await layoutOf(target)).toEqual({ pageSize: 8_192, keysBeside: [] });
    });
  });
});
