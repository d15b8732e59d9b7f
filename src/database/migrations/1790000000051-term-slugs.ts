import type { MigrationInterface, QueryRunner } from 'typeorm';
import { atOnce } from './create-table.js';

interface Row {
  readonly id: number | string;
  readonly taxonomy: string;
  readonly slug: string;
  readonly path: string;
}

/** Rows that are read together. */
const BATCH = 1_000;

/**
 * Slugs of terms, and their paths, with marks composed (NFC). A term keeps its slug where another one of its taxonomy
 * has that already; `doctor` names both.
 */
export class TermSlugs1790000000051 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return atOnce(runner, () => this.compose(runner));
  }

  down(): Promise<void> {
    return Promise.resolve();
  }

  private async compose(runner: QueryRunner): Promise<void> {
    const composed = new Set<string>();
    for await (const term of decomposed(runner, 'terms', 'slug')) {
      const slug = term.slug.normalize('NFC');
      const sql = 'SELECT id FROM terms WHERE taxonomy = ? AND slug = ?';
      const taken = (await runner.query(sql, [term.taxonomy, slug])) as unknown[];
      if (taken.length > 0) continue;
      await runner.query('UPDATE terms SET slug = ? WHERE id = ?', [slug, term.id]);
      composed.add(keyOf(term.taxonomy, term.slug));
    }
    for await (const { id, taxonomy, path } of decomposed(runner, 'terms', 'path')) {
      const slugs = path.split('/').map((slug) => (composed.has(keyOf(taxonomy, slug)) ? slug.normalize('NFC') : slug));
      await runner.query('UPDATE terms SET path = ? WHERE id = ?', [slugs.join('/'), id]);
    }
    for await (const { id, slug } of decomposed(runner, 'term_redirects', 'slug')) {
      await runner.query('UPDATE term_redirects SET slug = ? WHERE term_id = ?', [slug.normalize('NFC'), id]);
    }
    if (composed.size > 0) await touchTaxonomies(runner);
  }
}

async function* decomposed(
  runner: QueryRunner,
  table: 'terms' | 'term_redirects',
  column: 'slug' | 'path',
): AsyncGenerator<Row> {
  const [key, rest] = table === 'terms' ? ['id', 'path'] : ['term_id', 'slug AS path'];
  for (let last = 0; ;) {
    const sql = `SELECT ${key} AS id, taxonomy, slug, ${rest} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${BATCH}`;
    const rows = (await runner.query(sql, [last])) as Row[];
    yield* rows.filter((row) => row[column] !== row[column].normalize('NFC'));
    if (rows.length < BATCH) return;
    last = Number(rows.at(-1)?.id);
  }
}

/** Records show their terms otherwise by now, at the version that they had. */
async function touchTaxonomies(runner: QueryRunner): Promise<void> {
  const [newest] = (await runner.query('SELECT COALESCE(MAX(updated_at), 0) AS at FROM records')) as {
    at: number | string;
  }[];
  const at = Math.max(Date.now(), Number(newest?.at ?? 0) + 1);
  await runner.query(
    'UPDATE taxonomies SET terms_changed_at = CASE WHEN terms_changed_at < ? THEN ? ELSE terms_changed_at + 1 END',
    [at, at],
  );
}

function keyOf(taxonomy: string, slug: string): string {
  return `${taxonomy} ${slug}`;
}
