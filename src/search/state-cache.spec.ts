import { StateCache } from './state-cache.js';

describe('A cache of values that hold for one state', () => {
  it('has the values of that state only', () => {
    const cache = new StateCache<string>(10);

    expect(cache.of('1', 'a', () => 'of the first')).toBe('of the first');
    expect(cache.of('1', 'a', () => 'found again')).toBe('of the first');
    expect(cache.of('1', 'b', () => 'another')).toBe('another');
    expect(cache.of('2', 'a', () => 'of the second')).toBe('of the second');
    expect(cache.of('1', 'b', () => 'found again')).toBe('found again');
  });

  it('finds a value once, and again when it was forgotten', () => {
    const cache = new StateCache<number>(10);
    let found = 0;
    const value = () => cache.of('1', 'a', () => (found += 1));

    expect([value(), value(), value()]).toEqual([1, 1, 1]);
    cache.forget('a');
    expect(value()).toBe(2);
  });

  it('begins anew when it has as many values as it may', () => {
    const cache = new StateCache<string>(2);
    const of = (key: string, value: string) => cache.of('1', key, () => value);

    expect([of('a', 'first'), of('b', 'first'), of('b', 'second'), of('c', 'first')]).toEqual([
      'first',
      'first',
      'second',
      'first',
    ]);
  });
});
