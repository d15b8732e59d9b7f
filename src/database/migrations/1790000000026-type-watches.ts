import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, varchar } from './create-table.js';

const WATCH = 'watch_id';

/** A content type has a stamp beside its version, and a change that looks at its records learns what is written meanwhile. */
export class TypeWatches1790000000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('content_types', 'stamp'))) {
      await runner.query('ALTER TABLE content_types ADD COLUMN stamp varchar(36) NULL');
    }
    await createTable(
      runner,
      'type_watches',
      [varchar('id', 36, { isPrimary: true }), big('type_id'), big('until_at')],
      [{ name: 'i_type_watches_type', columns: ['type_id'] }],
    );
    await createTable(
      runner,
      'type_watch_records',
      [GENERATED_ID, varchar(WATCH, 36), big('record_id')],
      [{ name: 'i_type_watch_records', columns: [WATCH, 'id'] }],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('type_watch_records', true);
    await runner.dropTable('type_watches', true);
    await runner.query('ALTER TABLE content_types DROP COLUMN stamp');
  }
}
