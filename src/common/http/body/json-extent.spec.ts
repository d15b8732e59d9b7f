import fc from 'fast-check';
import { extentFaults, MAX_SHAPES, MAX_VALUES } from './json-extent.js';

const rulesOf = (text: string): string[] => extentFaults(Buffer.from(text)).map(({ rule }) => rule);
const list = (length: number, item: (index: number) => string): string =>
  `[${Array.from({ length }, (_, index) => item(index)).join()}]`;
/** Longer than any body whose values are not counted. */
const padded = (text: string): string => text + ' '.repeat(6 * MAX_SHAPES);

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + valuesOf(item), 1);
}

describe('The extent of a JSON text', () => {
  it.each(['0', '-1.5e+10', 'true', 'null', '""', '"a,b:[{\\"\\\\"', '[]', ' [ ] ', '{}'])(
    'is as many values as there are, here of %s',
    (item) => {
      // The list itself is one of them.
      expect(rulesOf(list(MAX_VALUES - 1, () => item))).toEqual([]);
      expect(rulesOf(list(MAX_VALUES, () => item))).toEqual(['values']);
    },
  );

  it('counts values in objects, and not their keys', () => {
    const full = (length: number) => `{"a":${list(length, () => '0')},"b": {"c" : "d"}}`;

    expect(rulesOf(full(MAX_VALUES - 4))).toEqual([]);
    expect(rulesOf(full(MAX_VALUES - 3))).toEqual(['values']);
  });

  it('is the number of values of whatever is sent', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const rest = MAX_VALUES - valuesOf(JSON.parse(json)) - 1;
        const around = (zeros: number) => `[${json}${',0'.repeat(zeros)}]`;
        expect(rulesOf(around(rest))).toEqual([]);
        expect(rulesOf(around(rest + 1))).toEqual(['values']);
      }),
      { numRuns: 30 },
    );
  });

  it('is as many shapes as there are different keys', () => {
    expect(rulesOf(list(MAX_SHAPES, (index) => `{"key ${index}":0}`))).toEqual([]);
    // Keys of one hash count once: of so many there is a pair now and then.
    expect(rulesOf(list(MAX_SHAPES + 50, (index) => `{"key ${index}":0}`))).toEqual(['keys']);
  });

  it('is as many shapes as there are orders of few keys', () => {
    const orderOf = (index: number) => Array.from({ length: 16 }, (_, bit) => `"${bit}${(index >> bit) & 1}":0`).join();
    const orders = (length: number) => list(length, (index) => `{${orderOf(index)}}`);

    expect(rulesOf(orders(600))).toEqual([]);
    expect(rulesOf(orders(5_800))).toEqual(['keys']);
  });

  it('takes many objects that are alike', () => {
    expect(rulesOf(list(30_000, () => '{"type":"text","text":"x"}'))).toEqual([]);
  });

  it('is measured without failing, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(rulesOf(padded(text))).toEqual([]);
      }),
    );
  });
});
