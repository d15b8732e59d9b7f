import fc from 'fast-check';
import { hashOf } from '../../../secrets/secrets.js';
import { hintOf, isTokenShaped, newToken } from './token-rows.js';

const BASE62 = /^cms_[0-9A-Za-z]{44}$/;

describe('An API token', () => {
  it('is cms_ and 44 base62 characters', () => {
    expect(newToken()).toMatch(BASE62);
  });

  it('is recognised by its checksum', () => {
    const tokens = Array.from({ length: 1_000 }, newToken);

    expect(tokens.every(isTokenShaped)).toBe(true);
    expect(new Set(tokens).size).toBe(1_000);
  });

  it('uses every base62 character equally often', () => {
    const counts = new Map<string, number>();
    for (const token of Array.from({ length: 5_000 }, newToken)) {
      for (const digit of token.slice(4, 42)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    const expected = (5_000 * 38) / 62;
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);

    expect(counts.size).toBe(62);
    // 61 degrees of freedom: a fair source goes above 130 once in a million runs.
    expect(chiSquare).toBeLessThan(130);
  });

  it('is not recognised with one character changed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 47 }),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        (place, other) => {
          const token = newToken();
          const changed = token.slice(0, place) + other + token.slice(place + 1);
          return changed === token || !isTokenShaped(changed);
        },
      ),
    );
  });

  it.each(['', 'cms_', 'cms_short', `cms_${'0'.repeat(44)}`, `xms_${'0'.repeat(44)}`])(
    'is not what "%s" looks like',
    (text) => {
      expect(isTokenShaped(text)).toBe(false);
    },
  );

  it('is not any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => !isTokenShaped(text)));
  });

  it('keeps its checksum between versions, so that tokens stay valid', () => {
    expect(isTokenShaped(`cms_${'0'.repeat(38)}3rO5kI`)).toBe(true);
  });

  it('is stored as its SHA-256 and recognised by its first eight characters', () => {
    expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hintOf('cms_4fGhXYZ')).toBe('cms_4fGh');
  });
});
