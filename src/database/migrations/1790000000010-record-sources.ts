import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, varchar } from './create-table.js';

/** Where imported records came from, so that a second import finds them again. */
export class RecordSources1790000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'record_sources', [
      varchar('source', 191, { isPrimary: true }),
      varchar('external_key', 64, { isPrimary: true }),
      big('record_id'),
      varchar('content_hash', 64),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('record_sources', true);
  }
}
