import { big, blob, GENERATED_ID, int, KEY, NULLABLE, text, varchar, type Tables } from '../create-table.js';

/** Tables of records, of what is counted of them, and of their history. */
export const RECORDS_TABLES: Tables = {
  records: {
    columns: [
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
      big('first_published_at', NULLABLE),
      big('trashed_at', { default: 0 }),
    ],
    indices: [
      { name: 'u_records_slug', columns: ['type_id', 'slug', 'locale'], unique: true },
      { name: 'i_records_created', columns: ['type_id', 'trashed_at', 'created_at', 'id'] },
      { name: 'i_records_status', columns: ['type_id', 'status', 'trashed_at', 'created_at', 'id'] },
      { name: 'i_records_updated', columns: ['type_id', 'trashed_at', 'updated_at', 'id'] },
      { name: 'i_records_published', columns: ['type_id', 'status', 'trashed_at', 'published_at', 'id'] },
      { name: 'i_records_title', columns: ['type_id', 'trashed_at', 'title_key', 'id'] },
    ],
  },
  record_contents: {
    columns: [
      big('record_id', KEY),
      text('body', NULLABLE),
      text('data'),
      varchar('trashed_slug', 191, NULLABLE),
      { name: 'terms', type: 'text', ...NULLABLE },
    ],
  },
  record_fields: {
    columns: [
      big('record_id', KEY),
      big('field_id', KEY),
      int('pos', KEY),
      { name: 'num', type: 'double', ...NULLABLE },
      varchar('str', 191, NULLABLE),
      varchar('sort_key', 64, NULLABLE),
      varchar('unique_key', 64, NULLABLE),
      big('sort_at'),
    ],
    indices: [
      { name: 'u_record_fields_unique', columns: ['field_id', 'unique_key'], unique: true },
      { name: 'i_record_fields_num', columns: ['field_id', 'num', 'sort_at', 'record_id'] },
      { name: 'i_record_fields_str', columns: ['field_id', 'str', 'record_id'] },
      { name: 'i_record_fields_sort', columns: ['field_id', 'sort_key', 'sort_at', 'record_id'] },
    ],
  },
  record_counts: {
    columns: [big('type_id', KEY), varchar('status', 16, KEY), big('n')],
  },
  term_counts: {
    columns: [big('term_id', KEY), big('type_id', KEY), varchar('status', 16, KEY), big('n')],
  },
  record_deltas: {
    columns: [GENERATED_ID, big('type_id'), varchar('status', 16), big('term_id'), int('d')],
    indices: [{ name: 'i_record_deltas', columns: ['term_id', 'type_id', 'status', 'd'] }],
  },
  record_sources: {
    columns: [
      varchar('source', 191, KEY),
      varchar('external_key', 64, KEY),
      big('record_id'),
      varchar('content_hash', 64),
    ],
  },
  revisions: {
    columns: [
      big('record_id', KEY),
      big('ts', KEY),
      int('version'),
      varchar('action', 16),
      varchar('title', 255),
      varchar('status', 16),
      big('actor_id'),
      text('changed'),
      big('rollback_of', NULLABLE),
      int('size_bytes'),
      blob('snapshot'),
    ],
  },
  record_drafts: {
    columns: [
      big('record_id', KEY),
      big('type_id'),
      big('version'),
      int('base_version'),
      text('changes'),
      text('bases'),
      big('created_by'),
      big('updated_by'),
      big('created_at'),
      big('updated_at'),
    ],
    indices: [{ name: 'i_record_drafts_type', columns: ['type_id', 'updated_at', 'record_id'] }],
  },
  idempotency_keys: {
    columns: [
      varchar('caller', 80, KEY),
      varchar('hash', 43, KEY),
      varchar('request', 43),
      big('ref'),
      text('answer', NULLABLE),
      big('expires_at'),
    ],
    indices: [{ name: 'i_idempotency_keys_expires_at', columns: ['expires_at'] }],
  },
};
