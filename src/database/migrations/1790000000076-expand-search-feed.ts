import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTable, int, varchar } from './create-table.js';

/** As which database OpenSearch is fed from this one, and the last number of an index that was given. */
export class ExpandSearchFeed1790000000076 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'search_feed', [
      int('id', { isPrimary: true }),
      varchar('identity', 32),
      int('last_number'),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('search_feed', true);
  }
}
