import type { StoredTerm } from '../term-row.js';
import { termView } from '../term-view.js';

/** The end of a term: its list of children, and itself. */
const END = ']}';

/**
 * The JSON text of a whole taxonomy, term by term: each begins with what ends the terms before it, and has those that
 * stand under it in `children`.
 *
 * @param terms in the order of the tree: a term, all that stand under it, its next sibling
 */
export function* treeTexts(terms: readonly StoredTerm[], counts: ReadonlyMap<number, number>): Generator<string> {
  const open: number[] = [];
  for (const term of terms) {
    const parent = term.parentId === null ? -1 : open.lastIndexOf(term.parentId);
    const ended = open.splice(parent + 1).length;
    const before = ended > 0 ? `${END.repeat(ended)},` : '';
    yield `${before}${JSON.stringify(termView(term, counts.get(term.id) ?? 0)).slice(0, -1)},"children":[`;
    open.push(term.id);
  }
  yield END.repeat(open.length);
}
