import type { TermRow } from './term-row.js';

/** A term with everything that is kept about it. */
export interface StoredTerm extends TermRow {
  readonly description: string | null;
  readonly position: number;
  /** See `term-keys.ts`. */
  readonly sortKey: string;
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface StoredTermColumns {
  readonly id: number | string;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly parent_id: number | string | null;
  readonly position: number;
  readonly path: string;
  readonly sort_key: string;
  readonly depth: number;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

export const STORED_COLUMNS =
  'id, taxonomy, slug, name, description, parent_id, position, path, sort_key, depth, created_at, updated_at';

export function storedTermOf(row: StoredTermColumns): StoredTerm {
  return {
    id: Number(row.id),
    taxonomy: row.taxonomy,
    slug: row.slug,
    name: row.name,
    description: row.description,
    parentId: row.parent_id === null ? null : Number(row.parent_id),
    position: row.position,
    path: row.path,
    sortKey: row.sort_key,
    depth: row.depth,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}
