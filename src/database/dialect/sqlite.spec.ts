import { createTestFile, type TestDatabase } from '../../../test/support/test-database.js';
import { migrate } from '../migrate.js';
import { Writer } from '../writer.js';
import { dialectFor } from './dialect-for.js';

describe('Statistics of SQLite', () => {
  let file: TestDatabase;
  let writer: Writer;

  beforeAll(async () => {
    file = createTestFile();
    writer = await Writer.open(dialectFor(file.address));
    await migrate(writer);
  });

  afterAll(async () => {
    await writer.onApplicationShutdown();
    await file.drop();
  });

  const query = <Row>(sql: string): Promise<Row[]> => writer.source.query<Row[]>(sql);

  it('say nothing of tables that are small yet, so that a range of the full-text index is looked up', async () => {
    const plan = await query<{ detail: string }>(
      'EXPLAIN QUERY PLAN SELECT block FROM search_index_data WHERE id >= 1 AND id <= 2',
    );

    expect(await query('SELECT tbl FROM sqlite_stat1')).toEqual([]);
    expect(plan[0]?.detail).toMatch(/^SEARCH search_index_data USING INTEGER PRIMARY KEY/);
  });

  it('are kept of large ones', async () => {
    await query('CREATE TABLE many (id INTEGER PRIMARY KEY, n INTEGER)');
    await query('CREATE INDEX i_many ON many (n)');
    await query(
      `INSERT INTO many (n) WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000) SELECT n FROM c`,
    );

    await writer.dialect.refreshStatistics(writer.source.createQueryRunner());

    expect(await query('SELECT tbl FROM sqlite_stat1')).toEqual([{ tbl: 'many' }]);
  });
});
