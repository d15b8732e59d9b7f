import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, int, varchar } from './create-table.js';

/** A fingerprint of `APP_SECRET`: a process with another secret could read nothing that the others have sealed. */
export class AppSecret1790000000062 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'app_secret', [
      int('id', { isPrimary: true }),
      varchar('fingerprint', 64),
      big('changed_at'),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('app_secret', true);
  }
}
