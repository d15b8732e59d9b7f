import { big, GENERATED_ID, int, KEY, NULLABLE, text, varchar, type Tables } from '../create-table.js';

/** Tables of content types, taxonomies and terms. */
export const TYPES_TABLES: Tables = {
  content_types: {
    columns: [
      GENERATED_ID,
      varchar('name', 64),
      text('options'),
      int('version'),
      big('created_at'),
      big('updated_at'),
      varchar('stamp', 36, NULLABLE),
    ],
    indices: [{ name: 'u_content_types_name', columns: ['name'], unique: true }],
  },
  content_fields: {
    columns: [
      GENERATED_ID,
      big('type_id'),
      varchar('name', 64),
      varchar('kind', 16),
      int('position'),
      text('options'),
      int('is_index_complete', NULLABLE),
    ],
    indices: [{ name: 'u_content_fields_name', columns: ['type_id', 'name'], unique: true }],
  },
  type_departures: {
    columns: [GENERATED_ID, big('type_id'), varchar('taxonomy', 64)],
    indices: [{ name: 'i_type_departures_type', columns: ['type_id'] }],
  },
  type_watches: {
    columns: [varchar('id', 36, KEY), big('type_id'), big('until_at')],
    indices: [{ name: 'i_type_watches_type', columns: ['type_id'] }],
  },
  type_watch_records: {
    columns: [GENERATED_ID, varchar('watch_id', 36), big('record_id')],
    indices: [{ name: 'i_type_watch_records', columns: ['watch_id', 'id'] }],
  },
  taxonomies: {
    columns: [
      GENERATED_ID,
      varchar('name', 64),
      varchar('label', 255),
      varchar('label_plural', 255),
      varchar('description', 1000),
      int('is_hierarchical'),
      int('version'),
      big('terms_changed_at'),
      big('created_at'),
      big('updated_at'),
    ],
    indices: [{ name: 'u_taxonomies_name', columns: ['name'], unique: true }],
  },
  terms: {
    columns: [
      GENERATED_ID,
      varchar('taxonomy', 64),
      varchar('slug', 191),
      varchar('name', 255),
      varchar('name_key', 255),
      text('description', NULLABLE),
      big('parent_id', NULLABLE),
      int('position'),
      varchar('path', 2000),
      varchar('sort_key', 690),
      int('depth'),
      big('created_at'),
      big('updated_at'),
      int('made_by_hand', NULLABLE),
    ],
    indices: [
      { name: 'u_terms_slug', columns: ['taxonomy', 'slug'], unique: true },
      { name: 'i_terms_sort', columns: ['taxonomy', 'sort_key'] },
      { name: 'i_terms_name', columns: ['taxonomy', 'name_key'] },
      { name: 'i_terms_parent', columns: ['parent_id'] },
    ],
  },
  term_redirects: {
    columns: [
      big('term_id', KEY),
      varchar('taxonomy', 64),
      varchar('slug', 191),
      big('into_id', NULLABLE),
      int('is_pending'),
    ],
    indices: [
      { name: 'i_term_redirects_slug', columns: ['taxonomy', 'slug'] },
      { name: 'i_term_redirects_into', columns: ['into_id'] },
      { name: 'i_term_redirects_pending', columns: ['is_pending'] },
    ],
  },
};
