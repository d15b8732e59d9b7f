import { MissingNumbers } from './missing-numbers.js';

describe('Missing numbers', () => {
  const holds = (numbers: MissingNumbers, n: number): boolean =>
    [...numbers.young, ...(numbers.span ? [numbers.span] : [])].some(({ from, to }) => from <= n && n <= to);

  it('are ranges, and what is found is taken out of them', () => {
    const numbers = new MissingNumbers();
    numbers.add({ from: 3, to: 9 }, 0);
    numbers.add({ from: 11, to: 10 }, 0);

    expect([numbers.take(5), numbers.take(5), numbers.take(2), numbers.take(10)]).toEqual([true, false, false, false]);
    expect(numbers.young).toMatchObject([
      { from: 3, to: 4 },
      { from: 6, to: 9 },
    ]);
    expect(numbers.lowest).toBe(3);
    expect([3, 4, 6, 7, 8, 9].map((n) => numbers.take(n))).toEqual(Array(6).fill(true));
    expect(numbers.young).toEqual([]);
  });

  it('are given up when they are too old', () => {
    const numbers = new MissingNumbers();
    numbers.add({ from: 1, to: 2 }, 10);
    numbers.add({ from: 4, to: 5 }, 20);

    numbers.forget(20);

    expect(numbers.young).toMatchObject([{ from: 4, to: 5 }]);
  });

  it('are all asked for, however many ranges there are, and few ranges at that', () => {
    const numbers = new MissingNumbers();
    for (let n = 0; n < 5_000; n += 1) numbers.add({ from: 3 * n + 1, to: 3 * n + 2 }, n);

    expect(numbers.young.length).toBeLessThanOrEqual(200);
    for (let n = 0; n < 5_000; n += 1) expect(holds(numbers, 3 * n + 1)).toBe(true);
    expect([numbers.take(3 * 77), numbers.take(3 * 77 + 1)]).toEqual([false, true]);

    numbers.forget(4_950);
    expect(numbers.span).toBeNull();
    expect(numbers.young).toHaveLength(50);
  });
});
