import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, int, NULLABLE, text, varchar } from './create-table.js';

/** Records: a narrow table for lists, the contents apart, and a side index of the fields that can be filtered and sorted. */
export class Records1790000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.createRecords(runner);
    await createTable(runner, 'record_contents', [
      big('record_id', { isPrimary: true }),
      text('body', NULLABLE),
      text('data'),
      varchar('trashed_slug', 191, NULLABLE),
    ]);
    await createTable(
      runner,
      'record_fields',
      [
        big('record_id', { isPrimary: true }),
        big('field_id', { isPrimary: true }),
        int('pos', { isPrimary: true }),
        { name: 'num', type: 'double', ...NULLABLE },
        varchar('str', 191, NULLABLE),
        varchar('unique_key', 64, NULLABLE),
        big('sort_at'),
      ],
      [
        { name: 'i_record_fields_num', columns: ['field_id', 'num', 'sort_at', 'record_id'] },
        { name: 'i_record_fields_str', columns: ['field_id', 'str', 'sort_at', 'record_id'] },
        { name: 'u_record_fields_unique', columns: ['field_id', 'unique_key'], unique: true },
      ],
    );
    await this.createCounters(runner);
  }

  private async createRecords(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'records',
      [
        GENERATED_ID,
        big('type_id'),
        varchar('locale', 12),
        varchar('slug', 191, NULLABLE),
        varchar('title', 255),
        varchar('title_key', 64),
        varchar('status', 16),
        int('version'),
        big('created_by'),
        big('updated_by'),
        big('created_at'),
        big('updated_at'),
        big('published_at', NULLABLE),
        big('trashed_at', { default: 0 }),
      ],
      [
        { name: 'u_records_slug', columns: ['type_id', 'slug', 'locale'], unique: true },
        { name: 'i_records_created', columns: ['type_id', 'trashed_at', 'created_at', 'id'] },
        { name: 'i_records_status', columns: ['type_id', 'status', 'trashed_at', 'created_at', 'id'] },
        { name: 'i_records_updated', columns: ['type_id', 'trashed_at', 'updated_at', 'id'] },
        { name: 'i_records_published', columns: ['type_id', 'status', 'trashed_at', 'published_at', 'id'] },
        { name: 'i_records_title', columns: ['type_id', 'trashed_at', 'title_key', 'id'] },
      ],
    );
  }

  private async createCounters(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'record_counts', [
      big('type_id', { isPrimary: true }),
      varchar('status', 16, { isPrimary: true }),
      big('n'),
    ]);
    await createTable(
      runner,
      'record_count_deltas',
      [GENERATED_ID, big('type_id'), varchar('status', 16), int('d')],
      [{ name: 'i_record_count_deltas', columns: ['type_id', 'status', 'd'] }],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = ['record_count_deltas', 'record_counts', 'record_fields', 'record_contents', 'records'];
    for (const table of tables) await runner.dropTable(table, true);
  }
}
