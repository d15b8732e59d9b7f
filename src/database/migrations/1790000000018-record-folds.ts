import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, int } from './create-table.js';

/** How often changes of counts were folded in: a sum of counters can be checked for being still valid. */
export class RecordFolds1790000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'record_folds', [int('id', { isPrimary: true }), big('n')]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('record_folds', true);
  }
}
