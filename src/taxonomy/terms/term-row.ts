/** A term, as far as records and searches need it. */
export interface TermRow {
  readonly id: number;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly parentId: number | null;
  /** Slugs from the root to the term: `news/world`. */
  readonly path: string;
  /** 1 for a term without a parent. */
  readonly depth: number;
}

/** Columns of `terms` that make a {@link TermRow}. */
export interface TermColumns {
  readonly id: number | string;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly parent_id: number | string | null;
  readonly path: string;
  readonly depth: number;
}

/** Of a table that is called `t` in the statement. */
export const TERM_COLUMNS = 't.id, t.taxonomy, t.slug, t.name, t.parent_id, t.path, t.depth';

export function termOf(row: TermColumns): TermRow {
  return {
    id: Number(row.id),
    taxonomy: row.taxonomy,
    slug: row.slug,
    name: row.name,
    parentId: row.parent_id === null ? null : Number(row.parent_id),
    path: row.path,
    depth: row.depth,
  };
}

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
