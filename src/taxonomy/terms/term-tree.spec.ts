import fc from 'fast-check';
import type { StoredTerm } from './term-row.js';
import { termView, type TermView } from './term-view.js';
import { nodeText, treeOf } from './term-pages.js';

type Node = TermView & { readonly children: readonly Node[] };

/** Terms in the order of a tree, of which each one's level is at most one below the level of the term before it. */
const TERMS = fc.array(fc.nat(10), { maxLength: 60 }).map((levels) => {
  const path: number[] = [];
  return levels.map((level, at): StoredTerm => {
    path.length = Math.min(level, path.length);
    const parentId = path.at(-1) ?? null;
    path.push(at + 1);
    return termOf(at + 1, parentId, path.length);
  });
});

function termOf(id: number, parentId: number | null, depth: number): StoredTerm {
  const slug = `s${id}`;
  const description = id % 3 === 0 ? '"]},[{"' : null;
  const place = { parentId, depth, path: slug, position: 0, sortKey: '' };
  const made = { createdAt: id, updatedAt: id };
  return { id, taxonomy: 'topic', slug, name: `Name ${id}`, description, ...place, ...made };
}

function nodesUnder(terms: readonly StoredTerm[], parent: number | null): Node[] {
  return terms
    .filter(({ parentId }) => parentId === parent)
    .map((term) => ({ ...termView(term, term.id % 2), children: nodesUnder(terms, term.id) }));
}

describe('A tree', () => {
  it('is that of its terms put into one another', () => {
    fc.assert(
      fc.property(TERMS, (terms) => {
        const counts = new Map(terms.filter(({ id }) => id % 2 === 1).map(({ id }) => [id, 1]));
        const written = treeOf(terms).map((node) => [...nodeText(node, counts)].join(''));
        expect(`[${written.join()}]`).toBe(JSON.stringify(nodesUnder(terms, null)));
      }),
    );
  });
});
