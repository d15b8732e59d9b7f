import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, int, isServer, varchar } from './create-table.js';

/** Tables of counters with the key columns and the table of the changes that were appended to each so far. */
const COUNTERS = [
  ['record_counts', 'record_count_deltas', ['type_id', 'status']],
  ['term_counts', 'term_count_deltas', ['term_id', 'type_id', 'status']],
] as const;

/** One row for each change of counts, where there were one for each term and one for the type. */
export class RecordDeltas1790000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'record_deltas',
      [GENERATED_ID, big('type_id'), varchar('status', 16), big('term_id'), int('d')],
      [{ name: 'i_record_deltas', columns: ['term_id', 'type_id', 'status', 'd'] }],
    );
    for (const [counters, deltas, keys] of COUNTERS) {
      if (await runner.hasTable(deltas)) await fold(runner, counters, deltas, keys);
      await runner.dropTable(deltas, true);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const key = { type_id: big('type_id'), status: varchar('status', 16), term_id: big('term_id') };
    for (const [, deltas, keys] of COUNTERS) {
      await createTable(
        runner,
        deltas,
        [GENERATED_ID, ...keys.map((name) => key[name]), int('d')],
        [{ name: `i_${deltas}`, columns: [...keys, 'd'] }],
      );
    }
    await runner.dropTable('record_deltas', true);
  }
}

/** Both or neither: what was added and is still there would be added again. A migration of SQLite is one transaction anyway. */
async function fold(runner: QueryRunner, counters: string, deltas: string, keys: readonly string[]): Promise<void> {
  const columns = keys.join(', ');
  const added = isServer(runner)
    ? `ON DUPLICATE KEY UPDATE n = ${counters}.n + VALUES(n)`
    : `ON CONFLICT (${columns}) DO UPDATE SET n = n + excluded.n`;
  if (isServer(runner)) await runner.query('START TRANSACTION');
  await runner.query(
    `INSERT INTO ${counters} (${columns}, n)
     SELECT ${columns}, SUM(d) FROM ${deltas} WHERE d <> 0 GROUP BY ${columns} ${added}`,
  );
  await runner.query(`DELETE FROM ${deltas}`);
  if (isServer(runner)) await runner.query('COMMIT');
}
