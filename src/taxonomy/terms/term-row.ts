import type { Term } from '../taxonomies/taxonomy.entity.js';

/** A term, as far as records and searches need it. */
export type TermRow = Readonly<Pick<Term, 'id' | 'taxonomy' | 'slug' | 'name' | 'parentId' | 'path' | 'depth'>>;

/** A term with everything that is kept about it. */
export type StoredTerm = TermRow &
  Readonly<Pick<Term, 'description' | 'position' | 'sortKey' | 'createdAt' | 'updatedAt'>>;

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

/** The columns of a table that is called `t` in the statement. */
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

/** Columns of `terms` that make a {@link StoredTerm}. */
export interface StoredTermColumns extends TermColumns {
  readonly description: string | null;
  readonly position: number;
  readonly sort_key: string;
  readonly created_at: number | string;
  readonly updated_at: number | string;
}

export const STORED_COLUMNS =
  'id, taxonomy, slug, name, description, parent_id, position, path, sort_key, depth, created_at, updated_at';

export function storedTermOf(row: StoredTermColumns): StoredTerm {
  // A spread followed by further members takes ten times as long on Node 20, and a tree has ten thousand terms.
  return Object.assign(termOf(row), {
    description: row.description,
    position: row.position,
    sortKey: row.sort_key,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  });
}
