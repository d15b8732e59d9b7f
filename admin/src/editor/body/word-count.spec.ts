import { minutesFor, wordsIn } from './word-count.js';

describe('The length of a text', () => {
  it.each([
    ['', 0],
    ['## Two words', 2],
    ['it’s a well-known fact', 4],
    ['Čas & práce, 20 лет', 4],
  ])('of %j is %d words', (text, words) => {
    expect(wordsIn(text)).toBe(words);
    expect(wordsIn(text)).toBe(words);
  });

  it('is a minute at least', () => {
    expect([1, 230, 460, 1_000].map(minutesFor)).toEqual([1, 1, 2, 4]);
  });
});
