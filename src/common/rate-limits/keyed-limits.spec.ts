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
      refresh: [{ requests, within: 60_000 }],
    };
    return new KeyedLimits(budgets, new SlidingWindows(() => now));
  }

  it('counts each key for itself, and refuses what is too much with the time to wait', async () => {
    const limits = limitsOf(2);
    await limits.take('refresh', 'ann');
    now += 20_000;
    await limits.take('refresh', 'ann');

    await expect(limits.take('refresh', 'ann')).rejects.toMatchObject({
      error: 'too_many_requests',
      headers: { 'Retry-After': '40', 'RateLimit-Limit': '2', 'RateLimit-Remaining': '0' },
    });
    await expect(limits.take('refresh', 'bob')).resolves.toBeUndefined();
  });

  it('lets as many through as like to where the limit is 0', async () => {
    const limits = limitsOf(0);

    for (let request = 0; request < 100; request += 1) await limits.take('refresh', 'ann');
  });
});
