import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, int } from './create-table.js';

/** As in `src/sitemap/part.ts` when this was released. The remainder goes first, since servers divide into fractions. */
const PART = '(id - 1 - (id - 1) % 45000) / 45000 + 1';

/** How many published records each part of the sitemap has, and when they last changed. */
export class Sitemap1790000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'sitemap_parts', [
      big('type_id', { isPrimary: true }),
      big('part', { isPrimary: true }),
      big('urls'),
      big('changes'),
      big('changed_at'),
    ]);
    await createTable(runner, 'sitemap_part_deltas', [
      GENERATED_ID,
      big('type_id'),
      big('part'),
      int('urls'),
      int('changes'),
      big('changed_at'),
    ]);
    await runner.query(
      `INSERT INTO sitemap_parts (type_id, part, urls, changes, changed_at)
       SELECT type_id, ${PART}, COUNT(*), 1, MAX(updated_at)
         FROM records
        WHERE status = 'published' AND trashed_at = 0 AND NOT EXISTS (SELECT 1 FROM sitemap_parts)
        GROUP BY type_id, ${PART}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['sitemap_part_deltas', 'sitemap_parts']) await runner.dropTable(table, true);
  }
}
