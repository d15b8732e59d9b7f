import fc from 'fast-check';
import { idempotencyKey, requestHash } from './keyed-request.js';

const keyOf = (sent: string): string | null => idempotencyKey({ 'idempotency-key': sent });

describe('The header Idempotency-Key', () => {
  it('names no key where it is not sent', () => {
    expect(idempotencyKey({})).toBeNull();
  });

  it.each([
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['"8e03978e"', '8e03978e'],
    ['!~', '!~'],
    ['"', '"'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
  ])('%s names the key %s', (sent, key) => {
    expect(keyOf(sent)).toBe(key);
  });

  it.each(['', '""', 'a b', 'a, b', 'a\tb', '\u007f', 'k\u00e9y', 'x'.repeat(256), `"${'x'.repeat(256)}"`])(
    '%j is malformed',
    (sent) => {
      expect(() => keyOf(sent)).toThrow(expect.objectContaining({ error: 'malformed_request' }));
    },
  );
});

const BASE = { method: 'POST', url: '/api/cms/post' };
const aKey = fc.constantFrom('a', 'b', '1', '2', 'ab', 'toString', '__proto__', '"');
/** What JSON can say. */
const aLeaf = fc.constantFrom<unknown>(null, 0, 1, 1.5, '', '1', ',', '[', 'a', true, false, '\u017elu\u0165');
/** Of so few parts that equal values are not rare. */
const { value: aValue } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, aLeaf, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(aKey, tie('value'), { maxKeys: 3 }),
}));

/** The same value, made anew, with the keys of its objects the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]) => [key, turned(part)]),
  );
}

/** What equality means: each object as the list of its pairs, which stand in the order of the keys. */
function paired(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(paired)];
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([key, part]) => [key, paired(part)] as const);
  return ['object', ...pairs.toSorted(([a], [b]) => (a < b ? -1 : 1))];
}

describe('The hash of a request', () => {
  it('is the same for bodies that differ in the order of their keys alone, and for no others', () => {
    fc.assert(
      fc.property(aValue, aValue, (one, other) => {
        const [first, second, back] = [one, other, turned(one)].map((body) => requestHash({ ...BASE, body }));
        expect(back).toBe(first);
        expect(first === second).toBe(JSON.stringify(paired(one)) === JSON.stringify(paired(other)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('differs with the method, the path and the query, and where there is no body', () => {
    const hashes = [
      requestHash({ ...BASE, body: {} }),
      requestHash({ ...BASE, method: 'PUT', body: {} }),
      requestHash({ ...BASE, url: '/api/cms/page', body: {} }),
      requestHash({ ...BASE, url: '/api/cms/post?locale=de', body: {} }),
      requestHash({ ...BASE, body: undefined }),
    ];

    expect(new Set(hashes).size).toBe(5);
  });
});
