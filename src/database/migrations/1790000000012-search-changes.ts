import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, isServer } from './create-table.js';

/** Which documents were changed, so that what is known of a search need not be found out anew after a write. */
export class SearchChanges1790000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (!isServer(runner)) return;
    await runner.query('DROP TABLE IF EXISTS search_changes');
    await createTable(runner, 'search_changes', [GENERATED_ID, big('record_id'), big('at')]);
    // The list is never empty: its last row is how far it has come, and shows that nothing was taken from it before.
    await runner.query('INSERT INTO search_changes (record_id, at) VALUES (0, 0)');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!isServer(runner)) return;
    await runner.query('DROP TABLE IF EXISTS search_changes');
    await createTable(runner, 'search_changes', [GENERATED_ID]);
  }
}
