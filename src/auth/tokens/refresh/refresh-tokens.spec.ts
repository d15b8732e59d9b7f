import fc from 'fast-check';
import { AppKeys } from '../../../config/values/app-keys.js';
import { readSettings } from '../../../config/settings.js';
import { RefreshTokens } from './refresh-tokens.js';

const tokensOf = (secret: string): RefreshTokens =>
  new RefreshTokens(new AppKeys(readSettings('test', { APP_SECRET: secret })));

const claims = fc.record({
  sessionId: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  counter: fc.nat(2 ** 31 - 1),
});
const ALPHABET = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');

describe('Refresh tokens', () => {
  const tokens = tokensOf('a secret of thirty-two characters, or more');

  it('say what they were made of', () => {
    fc.assert(
      fc.property(claims, (claim) => {
        expect(tokens.read(tokens.issue(claim))).toEqual(claim);
      }),
    );
  });

  it.each([0, 1, 127, 128, 16_383, 16_384, 2 ** 31 - 1])('count to %d', (counter) => {
    const claim = { sessionId: '00'.repeat(16), counter };

    expect(tokens.read(tokens.issue(claim))).toEqual(claim);
  });

  it('are refused with any character changed', () => {
    fc.assert(
      fc.property(claims, fc.nat(60), fc.constantFrom(...ALPHABET), (claim, place, letter) => {
        const token = tokens.issue(claim);
        const index = place % token.length;
        const changed = token.slice(0, index) + letter + token.slice(index + 1);

        expect(tokens.read(changed)).toEqual(changed === token ? claim : null);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are refused with any other last character', () => {
    const token = tokens.issue({ sessionId: 'ab'.repeat(16), counter: 3 });

    const accepted = ALPHABET.filter((letter) => tokens.read(token.slice(0, -1) + letter) !== null);

    expect(accepted).toEqual([token.at(-1)]);
  });

  it('are refused when they are cut, longer, of another secret, or no token at all', () => {
    const token = tokens.issue({ sessionId: 'ab'.repeat(16), counter: 3 });
    const foreign = tokensOf('another secret of thirty-two characters').issue({
      sessionId: 'ab'.repeat(16),
      counter: 3,
    });

    for (const other of [
      foreign,
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      token.slice(5),
      '',
      'cmsr_',
    ]) {
      expect([other, tokens.read(other)]).toEqual([other, null]);
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(tokens.read(`cmsr_${text}`)).toBeNull();
      }),
    );
  });
});
