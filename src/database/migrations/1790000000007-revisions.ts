import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, blob, createTable, int, NULLABLE, text, varchar } from './create-table.js';

/** The history of records: what a list of it shows, and the packed state, beside each other in one row. */
export class Revisions1790000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'revisions', [
      big('record_id', { isPrimary: true }),
      big('ts', { isPrimary: true }),
      int('version'),
      varchar('action', 16),
      varchar('title', 255),
      varchar('status', 16),
      big('actor_id'),
      text('changed'),
      big('rollback_of', NULLABLE),
      int('codec'),
      big('base_ts', NULLABLE),
      int('size_bytes'),
      blob('snapshot'),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('revisions', true);
  }
}
