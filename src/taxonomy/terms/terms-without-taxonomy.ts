import { selectIds, type Reader } from '../../database/statements/reads.js';

/** Ids of terms whose taxonomy is not there. */
export function termsWithoutTaxonomy(reader: Reader): Promise<number[]> {
  return selectIds(reader, 'SELECT id FROM terms WHERE taxonomy NOT IN (SELECT name FROM taxonomies) ORDER BY id');
}

/** Ids of terms that went into one which is not there. */
export function redirectsWithoutTarget(reader: Reader): Promise<number[]> {
  const sql = `SELECT r.term_id AS id FROM term_redirects r LEFT JOIN terms t ON t.id = r.into_id
    WHERE r.into_id IS NOT NULL AND t.id IS NULL ORDER BY r.term_id`;
  return selectIds(reader, sql);
}

/** A condition on a column with the id of a term: there is no such term, and none that was removed or merged. */
export function isOfNoTerm(column: string): string {
  return `${column} NOT IN (SELECT id FROM terms) AND ${column} NOT IN (SELECT term_id FROM term_redirects)`;
}
