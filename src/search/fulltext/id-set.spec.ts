import fc from 'fast-check';
import { IdSet } from './id-set.js';

const ids = fc.integer({ min: 0, max: 5_000 });

describe('A set of ids', () => {
  it('counts what a plain set would', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(ids, fc.boolean())), (steps) => {
        const set = new IdSet();
        const plain = new Set<number>();
        for (const [id, isIn] of steps) {
          set.set(id, isIn);
          if (isIn) plain.add(id);
          else plain.delete(id);
          expect(set.size).toBe(plain.size);
        }
      }),
    );
  });

  it('is read from the words of a database, the highest bit included', () => {
    const set = new IdSet([
      { word: 2, bits: '4294967295' },
      { word: '0', bits: 2_147_483_649 },
    ]);
    expect(set.size).toBe(34);

    set.set(31, false);
    set.set(95, false);
    set.set(96, false);

    expect(set.size).toBe(32);
  });

  it('takes no more memory for large ids than for small ones', () => {
    const small = new IdSet([{ word: 1, bits: 5 }]);
    const large = new IdSet([{ word: 2 ** 35, bits: 5 }]);
    large.set(2 ** 40 + 1, true);
    small.set(33, true);

    expect([large.size, large.sizeBytes]).toEqual([3, small.sizeBytes]);
  });
});
