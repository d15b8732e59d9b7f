import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, int, text, varchar } from './create-table.js';

/** The content types and their fields. */
export class ContentTypes1790000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'content_types',
      [GENERATED_ID, varchar('name', 64), text('options'), int('version'), big('created_at'), big('updated_at')],
      [{ name: 'u_content_types_name', columns: ['name'], unique: true }],
    );
    await createTable(
      runner,
      'content_fields',
      [GENERATED_ID, big('type_id'), varchar('name', 64), varchar('kind', 16), int('position'), text('options')],
      [{ name: 'u_content_fields_name', columns: ['type_id', 'name'], unique: true }],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['content_fields', 'content_types']) await runner.dropTable(table, true);
  }
}
