import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, GENERATED_ID, int, NULLABLE, text, varchar } from './create-table.js';

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

/** The taxonomies, their terms, and where terms went that are gone. */
export class Taxonomy1790000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.createTaxonomies(runner);
    await this.createTerms(runner);
    await this.createRedirects(runner);
    await this.insertBuiltIn(runner);
  }

  private async createTaxonomies(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'taxonomies',
      [
        GENERATED_ID,
        varchar('name', 64),
        varchar('label', 255),
        varchar('label_plural', 255),
        varchar('description', 1_000),
        int('is_hierarchical'),
        int('version'),
        big('terms_changed_at'),
        big('created_at'),
        big('updated_at'),
      ],
      [{ name: 'u_taxonomies_name', columns: ['name'], unique: true }],
    );
  }

  private async createTerms(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'terms',
      [
        GENERATED_ID,
        varchar('taxonomy', 64),
        varchar('slug', 191),
        varchar('name', 255),
        varchar('name_key', 255),
        text('description', NULLABLE),
        big('parent_id', NULLABLE),
        int('position'),
        varchar('path', 2_000),
        varchar('sort_key', 690),
        int('depth'),
        big('created_at'),
        big('updated_at'),
      ],
      [
        { name: 'u_terms_slug', columns: ['taxonomy', 'slug'], unique: true },
        { name: 'i_terms_sort', columns: ['taxonomy', 'sort_key'] },
        { name: 'i_terms_name', columns: ['taxonomy', 'name_key'] },
        { name: 'i_terms_parent', columns: ['parent_id'] },
      ],
    );
  }

  private async createRedirects(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'term_redirects',
      [
        big('term_id', { isPrimary: true }),
        varchar('taxonomy', 64),
        varchar('slug', 191),
        big('into_id', NULLABLE),
        int('is_pending'),
      ],
      [
        { name: 'i_term_redirects_slug', columns: ['taxonomy', 'slug'] },
        { name: 'i_term_redirects_into', columns: ['into_id'] },
        { name: 'i_term_redirects_pending', columns: ['is_pending'] },
      ],
    );
  }

  /** They come once: a taxonomy that an operator deletes stays away. */
  private async insertBuiltIn(runner: QueryRunner): Promise<void> {
    const now = Date.now();
    for (const { name, label, plural, description, hierarchical } of TAXONOMIES) {
      // One statement that can be run again, since servers commit the migration and its mark apart.
      await runner.query(
        `INSERT INTO taxonomies (name, label, label_plural, description, is_hierarchical, version,
                                 terms_changed_at, created_at, updated_at)
         SELECT ?, ?, ?, ?, ?, 1, ?, ?, ? FROM (SELECT 1 AS one) AS once
         WHERE NOT EXISTS (SELECT 1 FROM taxonomies AS known WHERE known.name = ?)`,
        [name, label, plural, description, hierarchical, now, now, now, name],
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['term_redirects', 'terms', 'taxonomies']) await runner.dropTable(table, true);
  }
}
