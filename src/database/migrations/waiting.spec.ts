// Has all features register their tables.
import '../../app/app.module.js';
import mysql from 'mysql2/promise';
import { waitFor } from '../../../test/support/mailbox.js';
import { createTestDatabase } from '../../../test/support/test-database.js';
import { dialectFor } from '../dialect/dialect-for.js';
import { migrate, MIGRATION_NAMES, rebuildTables } from '../schema/migrate.js';
import { Writer } from '../statements/writer.js';
import { HeldRows1790000000066 } from './1790000000066-held-rows.js';

const WAITING =
  "SELECT COUNT(*) AS waiting FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'ALTER TABLE%'";

describe('A migration that meets a transaction which has read its table', () => {
  it('lets others read meanwhile, and is tried again until that one has ended', async () => {
    const database = await createTestDatabase();
    const writer = await Writer.open(dialectFor(database.address));
    await rebuildTables(writer, MIGRATION_NAMES.indexOf(HeldRows1790000000066.name));
    const [holder, reader] = await Promise.all([
      mysql.createConnection(database.url),
      mysql.createConnection(database.url),
    ]);
    await holder.query('START TRANSACTION');
    await holder.query('SELECT id FROM users');
    const isWaiting = async (): Promise<true | null> => {
      const [rows] = await reader.query(WAITING);
      return (rows as { waiting: number }[])[0]?.waiting === 1 ? true : null;
    };

    const migrating = migrate(writer);
    await waitFor(isWaiting, 'the migration at the table');
    // Behind the migration in the line of the table, and served while the transaction goes on.
    await reader.query('SELECT id FROM users');
    await waitFor(isWaiting, 'the migration to try again');
    await holder.query('COMMIT');

    expect(await migrating).toBe(MIGRATION_NAMES.length - MIGRATION_NAMES.indexOf(HeldRows1790000000066.name));
    await Promise.all([holder.end(), reader.end(), writer.onApplicationShutdown()]);
    await database.drop();
  });
});
