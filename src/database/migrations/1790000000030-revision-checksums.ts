import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isServer } from './create-table.js';

/** Checksums, by which a damaged revision is recognised. Those written before have none. */
export class RevisionChecksums1790000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // In plain SQL: TypeORM would copy the whole table on SQLite, snapshots and all.
    if (await runner.hasColumn('revisions', 'checksum')) return;
    await runner.query(`ALTER TABLE revisions ADD COLUMN checksum ${isServer(runner) ? 'int' : 'integer'} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('revisions', 'checksum')) {
      await runner.query('ALTER TABLE revisions DROP COLUMN checksum');
    }
  }
}
