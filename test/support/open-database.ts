import type { DataSource } from 'typeorm';
import { openDataSource } from '../../src/database/dialect/data-source.js';
import { dialectFor } from '../../src/database/dialect-for.js';
import type { Dialect } from '../../src/database/dialect/dialect.js';
import { UnitOfWork } from '../../src/database/units/unit-of-work.js';
import { Writer } from '../../src/database/statements/writer.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** A database with the doors that the service has to it, and one table to try them on. */
export interface OpenDatabase {
  readonly database: TestDatabase;
  readonly writer: Writer;
  readonly units: UnitOfWork;
  readonly reader: DataSource;
  close(): Promise<void>;
}

/** @param change of the dialect, for example a shorter time limit */
export async function openTestDatabase(
  change: (dialect: Dialect) => Dialect = (dialect) => dialect,
): Promise<OpenDatabase> {
  const database = await createTestDatabase();
  const dialect = change(dialectFor(database.address));
  const writer = await Writer.open(dialect);
  const engine = database.address.kind === 'server' ? ' ENGINE=InnoDB' : '';
  await writer.source.query(`CREATE TABLE things (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)${engine}`);
  const reader = await openDataSource(dialect.readerOptions());
  return {
    database,
    writer,
    reader,
    units: new UnitOfWork(writer),
    close: async () => {
      await reader.destroy();
      await writer.onApplicationShutdown();
      await database.drop();
    },
  };
}
