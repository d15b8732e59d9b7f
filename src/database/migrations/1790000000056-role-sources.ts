import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = { role_source: 'varchar(16) NULL', disabled_reason: 'varchar(16) NULL' };

/** Users know where their role comes from, where that is not here, and what has disabled them. */
export class RoleSources1790000000056 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(COLUMNS)) {
      if (await runner.hasColumn('users', name)) continue;
      await runner.query(`ALTER TABLE users ADD COLUMN ${name} ${definition}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(COLUMNS)) {
      if (await runner.hasColumn('users', name)) await runner.query(`ALTER TABLE users DROP COLUMN ${name}`);
    }
  }
}
