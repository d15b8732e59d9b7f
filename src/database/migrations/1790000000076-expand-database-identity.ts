import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, int, varchar } from './create-table.js';

/** What tells this database from others: its backups are named by it. */
export class ExpandDatabaseIdentity1790000000076 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'database_identity', [int('id', { isPrimary: true }), varchar('identity', 32)]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('database_identity', true);
  }
}
