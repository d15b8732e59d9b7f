import { guarded, unguarded } from './cell-parts.js';

describe('The guard of a cell', () => {
  it.each([
    '=HYPERLINK("x")',
    '+1',
    '-1',
    '@SUM(A1)',
    '＝1+1',
    '＠SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '\r\n=1',
    "'=1",
    "''-1",
  ])('keeps %j from being run', (text) => {
    expect(guarded(text)).toBe(`'${text}`);
    expect(unguarded(guarded(text))).toBe(text);
  });

  it.each(['', 'a=1', '1-1', "it's", "'quoted'", '𝔘 =1'])('leaves %j alone', (text) => {
    expect(guarded(text)).toBe(text);
    expect(unguarded(text)).toBe(text);
  });
});
