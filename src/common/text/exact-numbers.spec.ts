import { exactJson, isExact } from './exact-numbers.js';

describe('a decimal number', () => {
  it.each([
    '0',
    '-0.0',
    '0.1',
    '1.10',
    '007',
    '.5',
    '4.9999999999999991',
    '9007199254740992',
    '12345678901234500000',
    '1e23',
    '5e-324',
    '0e999',
  ])('that is kept as it is: %s', (decimal) => {
    expect(isExact(decimal)).toBe(true);
  });

  it.each(['9007199254740993', '123456789123456.12345', '0.10000000000000000555', '1e-999', '1e400', '', '.', 'x'])(
    'that is not: %s',
    (decimal) => {
      expect(isExact(decimal)).toBe(false);
    },
  );
});

describe('JSON with numbers that would be rounded', () => {
  it('has infinity in their place', () => {
    expect(exactJson(String.raw`{"a":[9007199254740993,0.1],"b":"\"9007199254740993","c":-1E-400,"d":1.5e3}`)).toEqual({
      a: [Infinity, 0.1],
      b: '"9007199254740993',
      c: Infinity,
      d: 1500,
    });
  });

  it('may have a long text', () => {
    const text = `${'a'.repeat(4_000_000)}1e5`;

    expect(exactJson(JSON.stringify([text]))).toEqual([text]);
  });
});
