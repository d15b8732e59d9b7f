import { PORTION_WEIGHT, portionsOf, weightOf, type ListedRow } from './record-row.js';

const EMPTY = { body: null, data: '{}', terms: null };
const termsOf = (count: number): string => JSON.stringify({ tag: Array.from({ length: count }, (_, n) => 10_000 + n) });
const rowsOf = (contents: object[]): ListedRow[] =>
  contents.map((row, id) => ({ id, ...EMPTY, ...row }) as unknown as ListedRow);
const idsOf = (portions: Iterable<readonly ListedRow[]>): number[][] =>
  [...portions].map((rows) => rows.map(({ id }) => id));

describe('long rows', () => {
  it('weigh about what the views of their terms have', () => {
    const view = { id: 10_000, slug: 'a-slug-of-some-length', name: 'A name of some length' };

    const added = weightOf({ ...EMPTY, terms: termsOf(1_000) }) - weightOf(EMPTY);

    expect(added / 1_000).toBeGreaterThanOrEqual(JSON.stringify(view).length);
    expect(added / 1_000).toBeLessThan(200);
  });

  it('are taken in portions by their terms as well', () => {
    const many = { terms: termsOf(2_000) };

    expect(idsOf(portionsOf(rowsOf([many, many, many, many, {}])))).toEqual([
      [0, 1],
      [2, 3, 4],
    ]);
  });

  it('are by themselves where they are longer than a portion, or yet to be read', () => {
    const long = { body: 'x'.repeat(PORTION_WEIGHT) };

    expect(idsOf(portionsOf(rowsOf([{}, long, {}, { data: null }, {}, {}])))).toEqual([[0], [1], [2], [3], [4, 5]]);
    expect(idsOf(portionsOf([]))).toEqual([]);
  });
});
