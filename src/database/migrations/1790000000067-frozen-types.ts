import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Types know until when no record of them may be written, while they change on a cluster. */
export class FrozenTypes1790000000067 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('content_types', 'frozen_until')) return;
    await runner.query('ALTER TABLE content_types ADD COLUMN frozen_until bigint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('content_types', 'frozen_until'))) return;
    await runner.query('ALTER TABLE content_types DROP COLUMN frozen_until');
  }
}
