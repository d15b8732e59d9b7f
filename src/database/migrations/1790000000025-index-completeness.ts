import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMN = 'is_index_complete';

/**
 * Fields know whether the side index has the rows of all records. Of those that are there already it is not known: up to
 * now a field that was added to a type with records got no rows for them. The service looks them through after the start.
 */
export class IndexCompleteness1790000000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('content_fields', COLUMN)) return;
    await runner.query(`ALTER TABLE content_fields ADD COLUMN ${COLUMN} integer NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE content_fields DROP COLUMN ${COLUMN}`);
  }
}
