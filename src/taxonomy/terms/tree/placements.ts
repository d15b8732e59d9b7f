import type { EntityManager } from 'typeorm';
import type { Fault } from '../../../common/errors/domain-error.js';
import type { Taxonomy } from '../../taxonomies/taxonomy.js';
import { MAX_DEPTH } from '../term-keys.js';
import type { StoredTerm } from '../term-row.js';
import type { TermStore } from '../term-store.js';

/** The place where a term is to stand, and the objections to it. */
export interface Placement {
  readonly parent: StoredTerm | null;
  readonly faults: readonly Fault[];
}

/**
 * Finds where a term may stand under a parent. The taxonomy has to be held, so that the tree does not change meanwhile.
 *
 * @param term that is to be moved; `null` for a new one
 */
export async function placementUnder(
  store: TermStore,
  manager: EntityManager,
  taxonomy: Taxonomy,
  { parentId, term }: { readonly parentId: number | null; readonly term: StoredTerm | null },
): Promise<Placement> {
  if (parentId === null) return { parent: null, faults: [] };
  if (!taxonomy.isHierarchical) {
    return refused('not_applicable', `parent_id must be left out: the terms of ${taxonomy.name} have no parents.`);
  }
  const parent = await store.find(manager, taxonomy, { column: 'id', value: parentId });
  if (!parent) return refused('term_not_found', `parent_id is no ${taxonomy.name}: ${parentId}.`);
  if (term && isWithin(parent, term)) return refused('cycle', `parent_id must not be the term or one under it.`);
  const height = term ? (await store.lowest(manager, term)) - term.depth + 1 : 1;
  if (parent.depth + height > MAX_DEPTH) {
    return refused('depth', `parent_id is too deep: a tree has at most ${MAX_DEPTH} levels.`);
  }
  return { parent, faults: [] };
}

/** The faults of putting everything that stands under a term under another one, as a merge does. */
export async function mergeFaults(
  store: TermStore,
  manager: EntityManager,
  term: StoredTerm,
  into: StoredTerm,
): Promise<Fault[]> {
  if (isWithin(into, term)) {
    return [fault('into', 'cycle', 'into must not be the term itself or one under it.')];
  }
  const lowest = (await store.lowest(manager, term)) - term.depth + into.depth;
  if (lowest <= MAX_DEPTH) return [];
  return [fault('into', 'depth', `into is too deep for the terms below this one: at most ${MAX_DEPTH} levels.`)];
}

/** True if a term is another one or stands under it. */
function isWithin(term: StoredTerm, ancestor: StoredTerm): boolean {
  return term.sortKey.startsWith(ancestor.sortKey);
}

function refused(rule: string, message: string): Placement {
  return { parent: null, faults: [fault('parent_id', rule, message)] };
}

function fault(field: string, rule: string, message: string): Fault {
  return { field, rule, message };
}
