import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, varchar } from './create-table.js';

/** The processes that answer requests on this database. */
export class Instances1790000000071 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'instances', [
      varchar('id', 36, { isPrimary: true }),
      varchar('version', 64),
      varchar('schema_name', 64),
      varchar('host', 255),
      big('started_at'),
      big('seen_at'),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('instances', true);
  }
}
