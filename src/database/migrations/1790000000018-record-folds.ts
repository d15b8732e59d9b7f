import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, int } from './create-table.js';

/** How often changes of counts were folded in: whoever added counters up can tell whether they still say the same. */
export class RecordFolds1790000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'record_folds', [int('id', { isPrimary: true }), big('n')]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('record_folds', true);
  }
}
