import type { DataSource } from 'typeorm';
// Has all features register their tables.
import '../app/app.module.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { dialectFor } from './dialect-for.js';
import { migrate, pendingMigrations } from './schema/migrate.js';
import { migrations } from './migrations/index.js';
import { Writer } from './statements/writer.js';

async function drift(source: DataSource): Promise<string[]> {
  const { upQueries } = await source.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

describe('Migrations', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => database.drop());

  it('leave exactly the tables that the entities describe', async () => {
    const writer = await Writer.open(dialectFor(database.address));

    await migrate(writer);

    expect(await drift(writer.source)).toEqual([]);
    expect(await pendingMigrations(writer)).toEqual([]);
    await writer.onApplicationShutdown();
  });

  it('can be taken back and run again', async () => {
    const writer = await Writer.open(dialectFor(database.address));
    await migrate(writer);

    for (const _ of migrations) await writer.source.undoLastMigration();

    expect(await pendingMigrations(writer)).toHaveLength(migrations.length);
    expect(await migrate(writer)).toBe(migrations.length);
    await writer.onApplicationShutdown();
  });
});
