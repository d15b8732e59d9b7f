import { soundKeys } from './sound-keys.js';

const number = (value: bigint): string =>
  Buffer.from(value.toString(16).padStart(514, '0'), 'hex').toString('base64url');
const rsa = (kid: string, e: bigint, bits = 2_048) => ({
  kty: 'RSA',
  kid,
  e: number(e),
  n: number((1n << BigInt(bits - 1)) + 1n),
});

describe('A key set', () => {
  it('has no RSA key with an exponent below 3, an even exponent, or a modulus below 2048 bits', () => {
    const good = [rsa('three', 3n), rsa('usual', 65_537n), { kty: 'EC', kid: 'ec' }, { kty: 'RSA', kid: 'without' }];
    const weak = [rsa('zero', 0n), rsa('one', 1n), rsa('two', 2n), rsa('even', 65_536n), rsa('short', 3n, 2_047)];

    const { set, refused } = soundKeys({ keys: [...weak, { ...rsa('x', 1n), kid: undefined }, ...good], more: 1 });

    expect(set).toEqual({ keys: good, more: 1 });
    expect(refused).toEqual(['zero', 'one', 'two', 'even', 'short', null]);
  });

  it.each([[null], [7], [[]], [{}], [{ keys: {} }], [{ keys: [7, null] }]])('stays as it is otherwise: %j', (set) => {
    expect(soundKeys(set)).toEqual({ set, refused: [] });
  });
});
