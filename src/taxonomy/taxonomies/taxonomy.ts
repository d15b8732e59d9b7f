import type { EntityManager } from 'typeorm';
import type { Dialect } from '../../database/dialect/dialect.js';
import { placeholders, select } from '../../database/statements/statement.js';
import type { TaxonomyEntity } from './taxonomy.entity.js';

/** A way to order records by terms, as the rest of the service sees it. */
export type Taxonomy = Readonly<TaxonomyEntity>;

/**
 * Holds the existing ones of some taxonomies; no other unit of work changes them until this one ends.
 *
 * @throws {DomainError} `overloaded`: one of them is being deleted, on a cluster
 */
export async function holdTaxonomies(
  manager: EntityManager,
  dialect: Dialect,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  // The version stands in no index: a server that reads an index alone locks that alone, and not the taxonomy.
  const sql = `SELECT name, version FROM taxonomies WHERE name IN (${placeholders(names)})${dialect.lockInShareMode}`;
  const rows = await select<Pick<Taxonomy, 'name'>>(manager, sql, names);
  return new Set(rows.map(({ name }) => name));
}
