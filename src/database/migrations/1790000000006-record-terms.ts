import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, int, varchar } from './create-table.js';

const KEY = [big('term_id', { isPrimary: true }), big('type_id', { isPrimary: true })];

/** Records hold terms. The rows to filter by are rows of the side index like any other; counts are kept per term. */
export class RecordTerms1790000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // In plain SQL: TypeORM would copy the whole table on SQLite, bodies and all.
    if (!(await runner.hasColumn('record_contents', 'terms'))) {
      await runner.query('ALTER TABLE record_contents ADD COLUMN terms text NULL');
    }
    await createTable(runner, 'term_counts', [...KEY, varchar('status', 16, { isPrimary: true }), big('n')]);
    await createTable(
      runner,
      'term_count_deltas',
      [GENERATED_ID, big('term_id'), big('type_id'), varchar('status', 16), int('d')],
      [{ name: 'i_term_count_deltas', columns: ['term_id', 'type_id', 'status', 'd'] }],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('term_count_deltas', true);
    await runner.dropTable('term_counts', true);
    await runner.query('ALTER TABLE record_contents DROP COLUMN terms');
  }
}
