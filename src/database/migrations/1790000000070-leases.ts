import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, int, varchar } from './create-table.js';

/** Work that one process of the service does at a time. */
export class Leases1790000000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'leases', [
      varchar('name', 32, { isPrimary: true }),
      varchar('owner', 36),
      int('epoch'),
      big('until_at'),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('leases', true);
  }
}
