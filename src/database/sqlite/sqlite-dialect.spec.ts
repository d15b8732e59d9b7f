import { createTestFile, type TestDatabase } from '../../../test/support/test-database.js';
import type { DataSource } from 'typeorm';
import { openDataSource } from '../dialect/data-source.js';
import { migrate } from '../schema/migrate.js';
import { Writer } from '../statements/writer.js';
import { dialectFor } from '../dialect-for.js';
import { outgrownTables } from './sqlite-statistics.js';

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

    expect(await query("SELECT name FROM sqlite_master WHERE name = 'sqlite_stat1'")).toEqual([]);
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

  it('are not made of a table without an index, of which ANALYZE would count every row', async () => {
    await query('CREATE TABLE contents (id INTEGER PRIMARY KEY, body TEXT)');
    await query(
      `INSERT INTO contents (body) WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000) SELECT n FROM c`,
    );

    expect(await outgrownTables((sql) => query(sql))).not.toContain('contents');
    await query('CREATE INDEX i_contents ON contents (body)');
    expect(await outgrownTables((sql) => query(sql))).toContain('contents');
  });

  describe('of a table that has grown tenfold', () => {
    const knownRows = async () => {
      const rows = await query<{ stat: string }>("SELECT stat FROM sqlite_stat1 WHERE tbl = 'growing'");
      return rows.map(({ stat }) => Number(stat.split(' ')[0]) >= 10_000);
    };
    const grow = (rows: number) =>
      query(`INSERT INTO growing (a, b)
             WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${rows}) SELECT n, 1 FROM c`);
    let reader: DataSource;

    beforeAll(async () => {
      await query('CREATE TABLE growing (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER)');
      await query('CREATE INDEX i_growing_a ON growing (a)');
      await query('CREATE INDEX i_growing_b ON growing (b)');
      reader = await openDataSource(writer.dialect.readerOptions());
    });

    afterAll(() => reader.destroy());

    /** Once a statement has run: EXPLAIN alone does not look whether the schema is still the same. */
    const plan = async () => {
      const sql = `SELECT id FROM growing WHERE b = 1 AND a = 5 AND ${(asked += 1)} > 0`;
      await reader.query(sql);
      const [step] = await reader.query<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${sql}`);
      return step?.detail;
    };
    let asked = 0;

    it('are not kept as long as it is small', async () => {
      await grow(9_999);
      await writer.dialect.renewStatistics();

      expect(await knownRows()).toEqual([]);
    });

    it('are kept once it is large, and connections that are open read by them', async () => {
      const before = await plan();
      await grow(1);
      await writer.dialect.renewStatistics();

      expect(await knownRows()).toEqual([true, true]);
      expect([before, await plan()]).toEqual([
        expect.stringContaining('i_growing_b'),
        expect.stringContaining('i_growing_a'),
      ]);
    });

    it('are renewed when it is ten times as large, and not before', async () => {
      const outgrown = () => outgrownTables((sql) => query(sql));
      await grow(80_000);
      expect(await outgrown()).toEqual([]);
      await grow(20_000);
      expect(await outgrown()).toEqual(['growing']);
      await writer.dialect.renewStatistics();
      expect(await outgrown()).toEqual([]);
    });
  });
});
