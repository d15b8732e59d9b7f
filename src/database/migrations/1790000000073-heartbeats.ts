import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, int } from './create-table.js';

/** The last heartbeat, which shows how far the replicas of a server have come. */
export class ExpandHeartbeats1790000000073 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'heartbeats', [int('id', { isPrimary: true }), big('at')]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('heartbeats', true);
  }
}
