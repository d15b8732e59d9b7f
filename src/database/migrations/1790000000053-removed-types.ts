import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isServer } from './create-table.js';

/** Types whose records were being removed are marked; a counter without a type used to say it. */
export class RemovedTypes1790000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `INSERT ${isServer(runner) ? 'IGNORE' : 'OR IGNORE'} INTO record_counts (type_id, status, n)
       SELECT DISTINCT c.type_id, 'removed', 0 FROM record_counts c
        WHERE c.type_id NOT IN (SELECT id FROM content_types)`,
    );
  }

  /** A mark is a counter without a type as well. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
