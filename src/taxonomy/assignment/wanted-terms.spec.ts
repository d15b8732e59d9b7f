import { wantedTerms } from './wanted-terms.js';

describe('Terms that a body wants', () => {
  it('makes no more faults than an answer lists', () => {
    const wanted = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`taxonomy_${n}`, ['a']]));

    const { terms, faults } = wantedTerms(wanted, new Map());

    expect(terms).toEqual([]);
    expect(faults).toHaveLength(100);
    expect(faults[99]).toMatchObject({ field: 'terms.taxonomy_99', rule: 'unknown' });
  });
});
