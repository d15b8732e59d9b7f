import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, int, varchar } from './create-table.js';

/** Milliseconds of the spans of each level, as `record-positions.ts` counts them. */
const SPANS = [2 ** 10, 2 ** 17, 2 ** 24, 2 ** 31];

/** How many records were created in which span of time, so that pages deep in a list are found without walking to them. */
export class RecordPositions1790000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'record_positions', [
      big('type_id', { isPrimary: true }),
      int('level', { isPrimary: true }),
      varchar('status', 16, { isPrimary: true }),
      big('bucket', { isPrimary: true }),
      big('n'),
    ]);
    await createTable(
      runner,
      'record_position_deltas',
      [GENERATED_ID, big('type_id'), int('level'), varchar('status', 16), big('bucket'), int('d')],
      [{ name: 'i_record_position_deltas', columns: ['type_id', 'level', 'status', 'bucket', 'd'] }],
    );
    for (const [level, span] of SPANS.entries()) await this.count(runner, level, span);
  }

  /** One statement that can be run again, since servers commit a migration piece by piece. */
  private async count(runner: QueryRunner, level: number, span: number): Promise<void> {
    await runner.query(
      `INSERT INTO record_positions (type_id, level, status, bucket, n)
       SELECT type_id, ${level}, status, FLOOR(created_at / ${span}.0), COUNT(*) FROM records
        WHERE trashed_at = 0 AND NOT EXISTS (SELECT 1 FROM record_positions AS counted WHERE counted.level = ${level})
        GROUP BY type_id, status, FLOOR(created_at / ${span}.0)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('record_position_deltas', true);
    await runner.dropTable('record_positions', true);
  }
}
