import { openDataSource } from '../../src/database/dialect/data-source.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { Writer } from '../../src/database/statements/writer.js';
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

  async function layoutOf(file: TestDatabase): Promise<unknown> {
    const source = await openDataSource(dialectFor(file.address).readerOptions());
    const pages = await source.query<{ page_size: number }[]>(PAGES);
    const beside = await source.query<{ name: string }[]>(KEYS_BESIDE);
    await source.destroy();
    return { pageSize: pages[0]?.page_size, keysBeside: beside.map(({ name }) => name) };
  }

  it('has pages of 8 KiB, and finds each row by its id without an index', async () => {
    const file = emptyFile();
    await (await migrated(file)).onApplicationShutdown();

    expect(await layoutOf(file)).toEqual({ pageSize: 8_192, keysBeside: [] });
  });
});
