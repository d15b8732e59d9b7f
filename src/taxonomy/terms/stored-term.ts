import type { Reader } from '../../database/statements/reads.js';
import { placeholders } from '../../database/statements/statement.js';
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
  /** `false`: it was made by being assigned, or it is not known how it was made. */
  readonly isMadeByHand: boolean;
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
  readonly made_by_hand: number | null;
}

export const STORED_COLUMNS =
  'id, taxonomy, slug, name, description, parent_id, position, path, sort_key, depth, created_at, updated_at, made_by_hand';

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
    isMadeByHand: row.made_by_hand === 1,
  };
}

/** A term that went into another one, and the slug that it had. */
export interface MergedTermRow {
  readonly term_id: number | string;
  readonly into_id: number | string;
  readonly slug: string;
}

/** The next terms of a taxonomy as its tree is read. @param sortKey of the last one; empty: from the first on */
export function storedTermsAfter(
  reader: Reader,
  taxonomy: string,
  sortKey: string,
  most: number,
): Promise<StoredTermColumns[]> {
  return reader.select<StoredTermColumns>(
    `SELECT ${STORED_COLUMNS} FROM terms WHERE taxonomy = ? AND sort_key > ? ORDER BY sort_key LIMIT ${most}`,
    [taxonomy, sortKey],
  );
}

/** The terms that went into some others, by id. */
export function mergedTerms(reader: Reader, ids: readonly number[]): Promise<MergedTermRow[]> {
  return reader.select<MergedTermRow>(
    `SELECT term_id, into_id, slug FROM term_redirects WHERE into_id IN (${placeholders(ids)}) ORDER BY term_id`,
    ids,
  );
}
