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
