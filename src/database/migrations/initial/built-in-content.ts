import type { QueryRunner } from 'typeorm';

const TYPES = [
  {
    name: 'post',
    options: {
      label: 'Post',
      label_plural: 'Posts',
      description: 'News and articles.',
      taxonomies: ['category', 'tag'],
      url_path: '/post/{slug}',
      sitemap: true,
      body: 'markdown',
      revisions: { keep: 100 },
    },
  },
  {
    name: 'page',
    options: {
      label: 'Page',
      label_plural: 'Pages',
      description: 'Pages that stand on their own.',
      taxonomies: [],
      url_path: '/{slug}',
      sitemap: true,
      body: 'markdown',
      revisions: { keep: 100 },
    },
  },
];

const TAXONOMIES = [
  {
    name: 'category',
    label: 'Category',
    plural: 'Categories',
    description: 'What a record is about.',
    hierarchical: 1,
  },
  { name: 'tag', label: 'Tag', plural: 'Tags', description: 'Words to find a record by.', hierarchical: 0 },
];

/** Adds the types and taxonomies of a fresh database, once. Can be run again: MySQL and MariaDB commit each statement. */
export async function insertBuiltInContent(runner: QueryRunner): Promise<void> {
  const now = Date.now();
  for (const { name, options } of TYPES) {
    await runner.query(
      `INSERT INTO content_types (name, options, version, created_at, updated_at)
         SELECT ?, ?, 1, ?, ? FROM (SELECT 1 AS one) AS once
         WHERE NOT EXISTS (SELECT 1 FROM content_types AS known WHERE known.name = ?)`,
      [name, JSON.stringify(options), now, now, name],
    );
  }
  for (const { name, label, plural, description, hierarchical } of TAXONOMIES) {
    await runner.query(
      `INSERT INTO taxonomies (name, label, label_plural, description, is_hierarchical, version,
                                 terms_changed_at, created_at, updated_at)
         SELECT ?, ?, ?, ?, ?, 1, ?, ?, ? FROM (SELECT 1 AS one) AS once
         WHERE NOT EXISTS (SELECT 1 FROM taxonomies AS known WHERE known.name = ?)`,
      [name, label, plural, description, hierarchical, now, now, now, name],
    );
  }
}
