import type { MigrationInterface, QueryRunner } from 'typeorm';

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
      revisions: { keep: 100 },
    },
  },
];

/** The types of a fresh database. As a migration they come once: a type that an operator deletes stays away. */
export class BuiltInTypes1790000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const now = Date.now();
    for (const { name, options } of TYPES) {
      // One statement that can be run again, since servers commit the migration and its mark apart.
      await runner.query(
        `INSERT INTO content_types (name, options, version, created_at, updated_at)
         SELECT ?, ?, 1, ?, ? FROM (SELECT 1 AS one) AS once
         WHERE NOT EXISTS (SELECT 1 FROM content_types AS known WHERE known.name = ?)`,
        [name, JSON.stringify(options), now, now, name],
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of TYPES) await runner.query('DELETE FROM content_types WHERE name = ?', [name]);
  }
}
