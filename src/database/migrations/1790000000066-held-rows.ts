import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['api_tokens', 'app_secret', 'content_types', 'taxonomies', 'terms', 'users'];

/** Rows that units of work hold without changing them: where several servers take writes, a lock has to be written. */
export class HeldRows1790000000066 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      if (await runner.hasColumn(table, 'held')) continue;
      await runner.query(`ALTER TABLE ${table} ADD COLUMN held bigint NOT NULL DEFAULT 0`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      if (await runner.hasColumn(table, 'held')) await runner.query(`ALTER TABLE ${table} DROP COLUMN held`);
    }
  }
}
