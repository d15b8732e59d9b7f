import { StateCache } from './state-cache.js';

describe('A cache of values that hold for one state', () => {
  it('has the values of that state only', () => {
    const cache = new StateCache<string>(10);

    cache.set('1', 'a', 'of the first');

    expect([cache.get('1', 'a'), cache.get('2', 'a'), cache.get('1', 'b')]).toEqual([
      'of the first',
      undefined,
      undefined,
    ]);
    expect(cache.of('2', 'a', () => 'of the second')).toBe('of the second');
    expect([cache.get('1', 'a'), cache.get('2', 'a')]).toEqual([undefined, 'of the second']);
  });

  it('finds a value once', () => {
    const cache = new StateCache<number>(10);
    let found = 0;

    const values = [1, 2, 3].map(() => cache.of('1', 'a', () => (found += 1)));

    expect(values).toEqual([1, 1, 1]);
  });

  it('lets go of what was asked for longest ago, until the others weigh little enough', () => {
    const cache = new StateCache<string>(10, (text) => text.length);
    for (const key of ['a', 'b', 'c']) cache.set('1', key, 'three');

    expect(['a', 'b', 'c'].map((key) => cache.get('1', key))).toEqual([undefined, 'three', 'three']);

    cache.get('1', 'b');
    cache.set('1', 'd', 'four');
    cache.set('1', 'd', 'once');

    expect(['b', 'c', 'd'].map((key) => cache.get('1', key))).toEqual(['three', undefined, 'once']);
  });
});
