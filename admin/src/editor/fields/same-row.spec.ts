import { isSameRow } from './same-row.js';

const below = null;

describe('A row of a form', () => {
  it('is not drawn anew by an answer that says the same of it', () => {
    const row = { name: 'tags', value: ['a'], faults: [], drawn: 1, below };

    expect(isSameRow(row, { ...row, value: ['a'], faults: [] })).toBe(true);
  });

  it.each([{ value: ['b'] }, { faults: [{ field: 'tags' }] }, { drawn: 2 }, { held: 'x' }, { below: {} }])(
    'is drawn anew with %j',
    (change) => {
      const row = { name: 'tags', value: ['a'], faults: [], drawn: 1, held: undefined, below };

      expect(isSameRow(row, { ...row, ...change })).toBe(false);
    },
  );
});
