import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isServer } from './create-table.js';

/** Documents are written anew in the background, since words that InnoDB leaves out are spelled otherwise from now on. */
export class SearchStopWords1790000000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!isServer(runner)) return;
    await runner.query(
      `INSERT INTO search_jobs (kind, target_id, position, lease_until, created_at)
       SELECT 'all', 0, 0, 0, ? FROM (SELECT 1 AS one) AS once
       WHERE EXISTS (SELECT 1 FROM search_documents) AND NOT EXISTS (SELECT 1 FROM search_jobs WHERE kind = 'all')`,
      [Date.now()],
    );
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
