import { lengthOf, readLine, readNumber } from './reading.js';

describe('A number that is typed', () => {
  it.each([
    ['42', true, 42],
    ['2,5', false, 2.5],
    ['-1e3', false, -1_000],
    ['0,125', false, 0.125],
    ['1234,567', false, 1234.567],
    ['+.5', false, 0.5],
    ['2.0', true, 2],
    ['-0', false, 0],
    ['', true, null],
    ['0.30000000000000004', false, 0.30000000000000004],
  ])('is read from %p', (text, isWhole, value) => {
    expect(readNumber(text, isWhole)).toEqual({ value });
  });

  it.each([
    ['2.5', true],
    ['many', false],
    [' ', false],
    ['Infinity', false],
    ['0x10', true],
    ['0x10', false],
    ['1e3', true],
    ['1,234', false],
    ['-12,000', true],
    ['9007199254740993', true],
    ['0.12345678901234567891', false],
  ])('is none in %p', (text, isWhole) => {
    expect(readNumber(text, isWhole).fault).toBeDefined();
  });
});

it.each([
  ['1e400', false, 'too large'],
  ['9007199254740993', true, 'too large'],
  ['0.12345678901234567891', false, 'more digits'],
  ['1e-400', false, 'more digits'],
])('What is wrong with %p is said', (text, isWhole, words) => {
  expect(readNumber(text, isWhole).fault).toContain(words);
});

describe('A text that is typed', () => {
  it('has as many characters as the service counts', () => {
    expect(lengthOf('a😀b')).toBe(3);
    expect(readLine('😀'.repeat(10), 10)).toEqual({ value: '😀'.repeat(10) });
    expect(readLine('😀'.repeat(11), 10).fault).toContain('1 character too many');
  });

  it('is not sent with characters that nobody sees', () => {
    expect(readLine('a\u0001b', 10).fault).toBeDefined();
    expect(readLine('a\tb', 10)).toEqual({ value: 'a\tb' });
  });
});
