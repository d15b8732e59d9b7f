import type { Budgets } from './budgets.js';
import { KeyedLimits } from './keyed-limits.js';
import { SlidingWindows } from './sliding-windows.js';

const OFF = [{ requests: 0, within: 60_000 }];

describe('KeyedLimits', () => {
  let now = 0;

  function limitsOf(requests: number): KeyedLimits {
    const budgets: Budgets = {
      auth: OFF,
      login: OFF,
      send: OFF,
      verify: OFF,
      users: OFF,
      badTokens: OFF,
      tokenSearches: OFF,
      lockDown: OFF,
      refresh: [{ requests, within: 60_000 }],
    };
    return new KeyedLimits(budgets, new SlidingWindows(() => now));
  }

  it('counts each key for itself, and refuses what is too much with the time to wait', () => {
    const limits = limitsOf(2);
    limits.take('refresh', 'ann');
    now += 20_000;
    limits.take('refresh', 'ann');

    expect(
      refusalOf(() => {
        limits.take('refresh', 'ann');
      }),
    ).toMatchObject({
      error: 'too_many_requests',
      headers: { 'Retry-After': '40', 'RateLimit-Limit': '2', 'RateLimit-Remaining': '0' },
    });
    expect(
      refusalOf(() => {
        limits.take('refresh', 'bob');
      }),
    ).toBeNull();
  });

  it('counts by the /64, the /56 and the /48 of an address, in all of them or in none', () => {
    const limits = limitsOf(1);
    const take = (ip: string) =>
      refusalOf(() => {
        limits.takeByAddress('refresh', ip);
      }) === null;

    expect([0, 1, 2, 3, 4].map((line) => take(`2001:db8:1:10${line}::1`))).toEqual([true, true, true, true, false]);
    const passed = Array.from({ length: 20 }, (_, line) => take(`2001:db8:1:${line + 20}00::1`));
    expect(passed.filter(Boolean)).toHaveLength(12);
    // A request that the /56 refuses costs the /48 nothing.
    expect(take('2001:db8:1:104::1')).toBe(false);
    expect(take('2001:db8:2:100::1')).toBe(true);
  });

  it('looks at what is left without taking of it', () => {
    const limits = limitsOf(1);
    const isSpent = () => !limits.isLeft('refresh', '192.0.2.1');

    expect([isSpent(), isSpent()]).toEqual([false, false]);
    limits.takeByAddress('refresh', '192.0.2.1');
    expect(isSpent()).toBe(true);
  });

  it('lets as many through as like to where the limit is 0', () => {
    const limits = limitsOf(0);

    for (let request = 0; request < 100; request += 1) limits.take('refresh', 'ann');

    expect(limits.isLeft('refresh', '192.0.2.1')).toBe(true);
  });
});

function refusalOf(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return error;
  }
}
