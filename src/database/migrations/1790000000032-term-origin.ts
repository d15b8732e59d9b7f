import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isServer } from './create-table.js';

/** Whether a term was made or changed by hand. Of those that are there already it is not known. */
export class TermOrigin1790000000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('terms', 'made_by_hand')) return;
    await runner.query(`ALTER TABLE terms ADD COLUMN made_by_hand ${isServer(runner) ? 'int' : 'integer'} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('terms', 'made_by_hand')) {
      await runner.query('ALTER TABLE terms DROP COLUMN made_by_hand');
    }
  }
}
