import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'api_tokens';
const COLUMN = 'configured_parent';

/** API tokens know the token of the configuration that they were made with. Those that are there go on without one. */
export class ExpandConfiguredParents1790000000077 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) return;
    await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} varchar(64) NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
