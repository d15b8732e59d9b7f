import type { TaxonomyTerm } from './term-queries.js';

/** Actions on a term. */
export type TermAction = 'create' | 'rename' | 'move' | 'merge' | 'remove';

/** A term as a row of a table. */
export interface TermRow {
  readonly term: TaxonomyTerm;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
}

type Terms = readonly TaxonomyTerm[];

/** The rows of a tree: below a closed term there are none. @param terms in the order of the tree */
export function rowsOf(terms: Terms, isOpen: (id: number) => boolean): TermRow[] {
  const rows: TermRow[] = [];
  let closed = Infinity;
  for (const [at, term] of terms.entries()) {
    if (term.depth > closed) continue;
    const hasChildren = (terms[at + 1]?.depth ?? 0) > term.depth;
    const row = { term, hasChildren, isOpen: hasChildren && isOpen(term.id) };
    closed = row.isOpen ? Infinity : term.depth;
    rows.push(row);
  }
  return rows;
}

/** The terms below another one, on all levels. @param terms in the order of the tree */
export function termsBelow(terms: Terms, { id, depth }: TaxonomyTerm): Terms {
  const start = terms.findIndex((term) => term.id === id) + 1;
  if (start === 0) return [];
  const end = terms.findIndex((term, at) => at >= start && term.depth <= depth);
  return terms.slice(start, end === -1 ? undefined : end);
}

/** Tells whether a term is another one or stands below it. */
export function isWithin({ path }: Pick<TaxonomyTerm, 'path'>, other: Pick<TaxonomyTerm, 'path'>): boolean {
  return `${path}/`.startsWith(`${other.path}/`);
}

/** The term under which another one stands one level deeper: the one before it on its level. */
export function parentInwards(terms: Terms, { id, parent_id: parent }: TaxonomyTerm): TaxonomyTerm | undefined {
  const siblings = terms.filter((term) => term.parent_id === parent);
  return siblings[siblings.findIndex((term) => term.id === id) - 1];
}

/** The ids of what a term stands under, the nearest first. */
export function idsAbove(terms: Terms, { parent_id: parent }: TaxonomyTerm): number[] {
  const byId = new Map(terms.map((term) => [term.id, term]));
  const ids: number[] = [];
  for (let above = byId.get(parent ?? 0); above; above = byId.get(above.parent_id ?? 0)) ids.push(above.id);
  return ids;
}

/** Terms whose names contain words, whatever their case and accents. */
export function termsNamed(terms: Terms, words: string): Terms {
  const sought = plain(words);
  return terms.filter(({ name }) => plain(name).includes(sought));
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .trim();
}
