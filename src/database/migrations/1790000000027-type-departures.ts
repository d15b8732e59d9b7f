import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, varchar } from './create-table.js';

interface Held {
  readonly type_id: number | string;
  readonly taxonomy: string;
  readonly options: string;
}

/** Taxonomies that types no longer have, while records may hold their terms: also those that left before this release. */
export class TypeDepartures1790000000027 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'type_departures',
      [GENERATED_ID, big('type_id'), varchar('taxonomy', 64)],
      [{ name: 'i_type_departures_type', columns: ['type_id'] }],
    );
    const held = (await runner.query(
      `SELECT DISTINCT c.type_id, t.taxonomy, ct.options
         FROM term_counts c JOIN terms t ON t.id = c.term_id JOIN content_types ct ON ct.id = c.type_id`,
    )) as Held[];
    for (const { type_id: typeId, taxonomy, options } of held) {
      const { taxonomies } = JSON.parse(options) as { taxonomies: readonly string[] };
      if (taxonomies.includes(taxonomy)) continue;
      await runner.query('INSERT INTO type_departures (type_id, taxonomy) VALUES (?, ?)', [typeId, taxonomy]);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('type_departures', true);
  }
}
