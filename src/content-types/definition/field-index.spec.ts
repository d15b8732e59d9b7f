import { aField } from '../../../test/support/content-types.js';
import { indexRows, needsIndex } from './field-index.js';

const rowsOf = (...call: Parameters<typeof indexRows>): unknown[] =>
  indexRows(...call).map(({ pos, num, str }) => [pos, num, str]);

describe('The side index', () => {
  it('has rows for fields that are indexed, unique or relations', () => {
    const plain = aField({ name: 'a', type: 'string' });

    expect(indexRows(plain, 'x')).toEqual([]);
    expect(needsIndex({ ...plain, indexed: true })).toBe(true);
    expect(needsIndex({ ...plain, unique: true })).toBe(true);
    expect(needsIndex({ ...plain, type: 'relation' })).toBe(true);
  });

  it.each([
    ['integer', 5, 5],
    ['number', -0, 0],
    ['boolean', true, 1],
    ['date', '1970-01-02', 86_400_000],
    ['datetime', '1970-01-01T00:00:01.000Z', 1_000],
    ['relation', { id: 17, type: 'person' }, 17],
  ] as const)('keeps %s %j as the number %d', (type, value, num) => {
    const field = aField({ name: 'a', type, indexed: true });

    expect(rowsOf(field, value)).toEqual([[0, num, null]]);
  });

  it('keeps texts as texts', () => {
    const field = aField({ name: 'a', type: 'enum', indexed: true });

    expect(rowsOf(field, 'red')).toEqual([[0, null, 'red']]);
  });

  it('keeps texts folded as well, to sort by', () => {
    const field = aField({ name: 'a', type: 'string', indexed: true });

    expect(indexRows(field, 'Čas & Łódź')).toMatchObject([{ str: 'Čas & Łódź', sortKey: 'cas & lodz' }]);
    expect(indexRows(field, null)).toMatchObject([{ str: null, sortKey: null }]);
  });

  it('has one row for each different item of a list', () => {
    const field = aField({ name: 'a', type: 'list', of: 'string', indexed: true });

    expect(rowsOf(field, ['b', 'a', 'b'])).toEqual([
      [0, null, 'b'],
      [1, null, 'a'],
    ]);
  });

  it.each([[undefined], [null], [[]]])('has one empty row for %j, so that a sorted list finds the record', (value) => {
    const field = aField({ name: 'a', type: 'list', of: 'string', indexed: true });

    expect(rowsOf(field, value)).toEqual([[0, null, null]]);
  });

  it.each([
    ['string', ['b', null, {}, { id: 'x' }, [], undefined]],
    ['date', ['1970-01-02', null, {}, 'no date']],
  ] as const)('has no row for items of a list of %s that another program has put there', (of, items) => {
    const field = aField({ name: 'a', type: 'list', of, indexed: true });

    expect(rowsOf(field, items)).toEqual([of === 'date' ? [0, 86_400_000, null] : [0, null, 'b']]);
    expect(rowsOf(field, items.slice(1))).toEqual([[0, null, null]]);
  });

  it('has a key for equal values of a unique field, whatever is cut off its text', () => {
    const field = aField({ name: 'a', type: 'string', unique: true });
    const [long, longer, again] = ['x'.repeat(191), 'x'.repeat(192), 'x'.repeat(191)].map(
      (text) => indexRows(field, text)[0],
    );

    expect(long?.uniqueKey).toMatch(/^[0-9a-f]{64}$/);
    expect(long).toEqual(again);
    expect(long?.str).toBe(longer?.str);
    expect(long?.uniqueKey).not.toBe(longer?.uniqueKey);
    expect(indexRows(field, null)[0]?.uniqueKey).toBeNull();
  });

  it('has one key for two encodings of a text', () => {
    const field = aField({ name: 'a', type: 'string', unique: true });
    const [composed, decomposed] = ['é', 'e\u0301'].map((text) => indexRows(field, text)[0]?.uniqueKey);

    expect(composed).toBe(decomposed);
  });
});
