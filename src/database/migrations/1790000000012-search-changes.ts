import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, isServer } from './create-table.js';

/** Which documents were changed lately, with marks whose sum tells whether what is known of a search still holds. */
export class SearchChanges1790000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!isServer(runner)) return;
    await runner.query('DROP TABLE IF EXISTS search_changes');
    await createTable(runner, 'search_changes', [GENERATED_ID, big('record_id'), big('at'), big('mark')]);
    // This row has the marks of all rows that were put away.
    await runner.query('INSERT INTO search_changes (id, record_id, at, mark) VALUES (1, 0, 0, 0)');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!isServer(runner)) return;
    await runner.query('DROP TABLE IF EXISTS search_changes');
    await createTable(runner, 'search_changes', [GENERATED_ID]);
  }
}
