import { weightedOccurrences } from './fts5-reads.js';
import { sumOfVarints, varints } from './fts5-reads.js';

describe('Occurrences out of bm25', () => {
  it.each([1, 4, 17, 3_000, 100_000])('are found again whatever the lengths are: %d', (n) => {
    for (const relativeLength of [0.001, 0.7, 1, 3, 5_000]) {
      const damping = 1.2 * (0.25 + 0.75 * relativeLength);
      expect(weightedOccurrences(n / (n + damping), relativeLength)).toBe(n);
    }
  });
});

describe('Numbers of the tables of an index', () => {
  it('are read as FTS5 writes them', () => {
    const bytes = Uint8Array.of(3, 0, 0x82, 0x40, 0x81, 0x80, 0x00);

    expect(varints(bytes)).toEqual([3, 0, 320, 16_384]);
    expect(sumOfVarints(bytes)).toBe(16_707);
  });
});
