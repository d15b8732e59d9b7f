import type { EntityManager } from 'typeorm';
import type { Dialect } from '../../database/dialect/dialect.js';
import type { Reader } from '../../database/statements/reads.js';
import { placeholders, select } from '../../database/statements/statement.js';
import { TaxonomyEntity } from './taxonomy.entity.js';

/** A way to order records by terms, as the rest of the service sees it. */
export interface Taxonomy {
  readonly id: number;
  readonly name: string;
  readonly label: string;
  readonly labelPlural: string;
  readonly description: string;
  /** Whether terms can have terms below them. */
  readonly isHierarchical: boolean;
  readonly version: number;
  /** Milliseconds since 1970, UTC. */
  readonly termsChangedAt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A row of `taxonomies`. */
export interface TaxonomyColumns {
  readonly id: number | string;
  readonly name: string;
  readonly label: string;
  readonly label_plural: string;
  readonly description: string;
  readonly is_hierarchical: number;
  readonly version: number;
  readonly terms_changed_at: number | string;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

export const TAXONOMY_COLUMNS =
  'id, name, label, label_plural, description, is_hierarchical, version, terms_changed_at, created_at, updated_at';

export function taxonomyOf(row: TaxonomyColumns): Taxonomy {
  return {
    id: Number(row.id),
    name: row.name,
    label: row.label,
    labelPlural: row.label_plural,
    description: row.description,
    isHierarchical: row.is_hierarchical === 1,
    version: row.version,
    termsChangedAt: Number(row.terms_changed_at),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

/** The names of all taxonomies in their order, as the reader sees them. */
export async function taxonomyNames(reader: Reader): Promise<string[]> {
  const rows = await reader.of(TaxonomyEntity).find({ select: { id: true, name: true }, order: { name: 'ASC' } });
  return rows.map(({ name }) => name);
}

/**
 * Those of some taxonomies that there are; no other unit of work changes them until this one ends.
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
  const rows = await select<Pick<TaxonomyColumns, 'name'>>(manager, sql, names);
  return new Set(rows.map(({ name }) => name));
}
