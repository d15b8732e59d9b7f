import type { TaxonomyTerm } from './term-queries.js';
import { idsAbove, isWithin, parentInwards, rowsOf, termsBelow, termsNamed } from './term-tree.js';

const term = (id: number, path: string, parent: number | null, name = path): TaxonomyTerm => {
  const slugs = path.split('/');
  const own = { id, name, slug: slugs.at(-1) ?? '', path, depth: slugs.length, parent_id: parent };
  return { ...own, description: null, position: 0, count: 0 };
};

const news = term(1, 'news', null);
const europe = term(2, 'news/europe', 1);
const rome = term(3, 'news/europe/rome', 2);
const world = term(4, 'news/world', 1);
const newsroom = term(5, 'newsroom', null, 'Café Newsroom');
const tree = [news, europe, rome, world, newsroom];

const idsOf = (terms: readonly TaxonomyTerm[]) => terms.map(({ id }) => id);

describe('rowsOf', () => {
  it('has no rows below a closed term, and goes on behind it', () => {
    const rows = rowsOf(tree, (id) => id === 1);

    expect(rows.map((row) => [row.term.id, row.hasChildren, row.isOpen])).toEqual([
      [1, true, true],
      [2, true, false],
      [4, false, false],
      [5, false, false],
    ]);
  });

  it('has all rows of an open tree, and a term with nothing below it is not open', () => {
    const rows = rowsOf(tree, () => true);

    expect(rows.map((row) => row.isOpen)).toEqual([true, true, false, false, false]);
  });
});

describe('termsBelow', () => {
  it('has all levels, up to the end of the list', () => {
    expect(idsOf(termsBelow(tree, news))).toEqual([2, 3, 4]);
    expect(idsOf(termsBelow(tree, newsroom))).toEqual([]);
    expect(idsOf(termsBelow([news, europe], news))).toEqual([2]);
  });

  it('knows nothing of a term that is not in the list', () => {
    expect(termsBelow(tree, term(9, 'gone', null))).toEqual([]);
  });
});

describe('isWithin', () => {
  it('is true of a term itself and of all below it, not of one whose slug begins alike', () => {
    expect([news, rome, newsroom].map((one) => isWithin(one, news))).toEqual([true, true, false]);
  });
});

describe('parentInwards', () => {
  it('is the term before it on its level', () => {
    expect(parentInwards(tree, world)?.id).toBe(2);
    expect(parentInwards(tree, newsroom)?.id).toBe(1);
  });

  it('is none for the first of its level', () => {
    expect(parentInwards(tree, europe)).toBeUndefined();
  });
});

describe('idsAbove', () => {
  it('begins with the nearest', () => {
    expect(idsAbove(tree, rome)).toEqual([2, 1]);
    expect(idsAbove(tree, news)).toEqual([]);
  });
});

describe('termsNamed', () => {
  it('finds words within names, without case and accents', () => {
    expect(idsOf(termsNamed(tree, ' CAFE '))).toEqual([5]);
  });
});
