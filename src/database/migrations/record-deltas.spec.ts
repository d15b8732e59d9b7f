import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { dialectFor } from '../dialect/dialect-for.js';
import { migrate, MIGRATION_NAMES, rebuildTables } from '../schema/migrate.js';
import { Writer } from '../statements/writer.js';
import { RecordDeltas1790000000014 } from './1790000000014-record-deltas.js';

const EARLIER = MIGRATION_NAMES.indexOf(RecordDeltas1790000000014.name);

describe('The migration to one table of changes', () => {
  let database: TestDatabase;
  let writer: Writer;

  beforeEach(async () => {
    database = await createTestDatabase();
    writer = await Writer.open(dialectFor(database.address));
    await rebuildTables(writer, EARLIER);
    const { source } = writer;
    await source.query("INSERT INTO record_counts (type_id, status, n) VALUES (1, 'draft', 3)");
    await source.query(
      "INSERT INTO record_count_deltas (type_id, status, d) VALUES (1, 'draft', 2), (1, 'draft', -1), (2, 'draft', 5)",
    );
    await source.query("INSERT INTO term_count_deltas (term_id, type_id, status, d) VALUES (9, 1, 'published', 1)");
  });

  afterEach(async () => {
    await writer.onApplicationShutdown();
    await database.drop();
  });

  const numbers = async (table: string, key: string): Promise<[number, number][]> => {
    const rows = await writer.source.query<Record<string, number | string>[]>(
      `SELECT ${key}, n FROM ${table} ORDER BY ${key}`,
    );
    return rows.map((row) => [Number(row[key]), Number(row.n)]);
  };

  it('loses no change that was still waiting', async () => {
    await migrate(writer);

    expect(await numbers('record_counts', 'type_id')).toEqual([
      [1, 4],
      [2, 5],
    ]);
    expect(await numbers('term_counts', 'term_id')).toEqual([[9, 1]]);
  });

  it('counts none twice when it is run again after an interruption', async () => {
    const runner = writer.source.createQueryRunner();
    await new RecordDeltas1790000000014().up(runner);
    await new RecordDeltas1790000000014().up(runner);
    await runner.release();

    expect(await numbers('record_counts', 'type_id')).toEqual([
      [1, 4],
      [2, 5],
    ]);
  });
});
