import { idsBy, type Reader } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
import { taxonomyNames } from '../taxonomies/taxonomy.js';

/** Ids of terms whose taxonomy is not there. */
export async function* termsWithoutTaxonomy(reader: Reader): AsyncGenerator<number> {
  const names = new Set(await taxonomyNames(reader));
  const used = await reader.select<{ taxonomy: string }>('SELECT DISTINCT taxonomy FROM terms');
  const unknown = used.map(({ taxonomy }) => taxonomy).filter((taxonomy) => !names.has(taxonomy));
  yield* idsBy(reader, { table: 'terms', key: 'id', column: 'taxonomy', values: unknown });
}

/** Ids of terms that went into one which is not there. */
export async function* redirectsWithoutTarget(reader: Reader): AsyncGenerator<number> {
  const without = await reader.select<{ into_id: number | string }>(
    'SELECT DISTINCT r.into_id FROM term_redirects r LEFT JOIN terms t ON t.id = r.into_id WHERE r.into_id IS NOT NULL AND t.id IS NULL',
  );
  const into = without.map(({ into_id: id }) => id);
  yield* idsBy(reader, { table: 'term_redirects', key: 'term_id', column: 'into_id', values: into });
}

/** Those of some ids, in their order, that are of no term and of none that was removed or merged. */
export async function absentTerms(reader: Reader, ids: readonly number[]): Promise<number[]> {
  const these = placeholders(ids);
  const rows = await reader.select<{ id: number | string }>(
    `SELECT id FROM terms WHERE id IN (${these}) UNION ALL SELECT term_id AS id FROM term_redirects WHERE term_id IN (${these})`,
    [...ids, ...ids],
  );
  const known = new Set(rows.map(({ id }) => Number(id)));
  return ids.filter((id) => !known.has(id));
}
