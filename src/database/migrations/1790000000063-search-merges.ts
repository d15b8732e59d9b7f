import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isServer } from './create-table.js';

/**
 * FTS5 merges no segment for the sake of the documents that were deleted from it: it reads such a segment to its end in
 * one go, which held a process for a second while a type of 100,000 records was removed. Later writes merge it away.
 */
export class SearchMerges1790000000063 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.tune(runner, 0);
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.tune(runner, 10);
  }

  private async tune(runner: QueryRunner, percent: number): Promise<void> {
    if (isServer(runner)) return;
    await runner.query(`INSERT INTO search_index (search_index, rank) VALUES ('deletemerge', ${percent})`);
  }
}
