import { timeText } from '../../common/text/time-text.js';
import type { StoredTerm } from './term-row.js';

/** A term as the API shows it. */
export interface TermView {
  readonly id: number;
  /** Name of the taxonomy. */
  readonly type: string;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly parent_id: number | null;
  readonly path: string;
  readonly depth: number;
  readonly position: number;
  /** Records that have the term itself and that the caller may see. */
  readonly count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export function termView(term: StoredTerm, count: number): TermView {
  return {
    id: term.id,
    type: term.taxonomy,
    name: term.name,
    slug: term.slug,
    description: term.description,
    parent_id: term.parentId,
    path: term.path,
    depth: term.depth,
    position: term.position,
    count,
    created_at: timeText(term.createdAt),
    updated_at: timeText(term.updatedAt),
  };
}
