import fc from 'fast-check';
import { isSameJson } from './same-json.js';

/** What equality means: the same JSON, once the keys of each object stand in one order. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

const aKey = fc.constantFrom('a', 'b', '1', '2', 'toString', '__proto__');
const aPlainValue = fc.oneof(
  fc.constantFrom(null, undefined, 0, -0, 1, '', '0', 'a', true, false, NaN, Infinity, new Date(0), new Date(NaN)),
  fc.constantFrom('1970-01-01T00:00:00.000Z', '\ud800', '\ud801', 1e300, 0.1 + 0.2, 0.3),
);
/** Of so few parts that equal values are not rare. */
const { value: aValue } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, aPlainValue, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(aKey, tie('value'), { maxKeys: 3 }),
}));

/** The same value, made anew, with the keys of its objects the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]) => [key, turned(part)]),
  );
}

describe('Two values', () => {
  it('are the same when their JSON is, with the keys of objects in one order', () => {
    fc.assert(
      fc.property(aValue, aValue, (one, other) => {
        expect(isSameJson({ one }, { one: other })).toBe(inOrder({ one }) === inOrder({ one: other }));
      }),
      { numRuns: 3_000 },
    );
  });

  it('are the same in whatever order their keys were sent', () => {
    fc.assert(
      fc.property(aValue, (value) => {
        expect(isSameJson({ value }, { value: turned(value) })).toBe(true);
      }),
    );
  });

  it('are not the same when one part differs', () => {
    const long = Array.from({ length: 100 }, (_, n) => ({ id: n, parts: [n, { name: `Part ${n}` }] }));
    const other = structuredClone(long);
    other[99]?.parts.splice(1, 1, { name: 'Another part' });

    expect([isSameJson(long, structuredClone(long)), isSameJson(long, other)]).toEqual([true, false]);
  });
});
