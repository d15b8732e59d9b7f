import { Registry } from 'prom-client';
import type { Budgets } from './budgets.js';
import { KeyedLimits } from './keyed-limits.js';
import { MemoryStorage } from './memory-storage.js';

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
    return new KeyedLimits(budgets, new MemoryStorage(() => now), new Registry());
  }

  it('counts each key for itself, and refuses what is too much with the time to wait', async () => {
    const limits = limitsOf(2);
    await limits.take('refresh', 'ann');
    now += 20_000;
    await limits.take('refresh', 'ann');

    expect(await refusalOf(limits.take('refresh', 'ann'))).toMatchObject({
      error: 'too_many_requests',
      headers: { 'Retry-After': '40', 'RateLimit-Limit': '2', 'RateLimit-Remaining': '0' },
    });
    expect(await refusalOf(limits.take('refresh', 'bob'))).toBeNull();
  });

  it('counts by the /64, the /56 and the /48 of an address, in all of them or in none', async () => {
    const limits = limitsOf(1);
    const take = async (ip: string) => (await refusalOf(limits.takeByAddress('refresh', ip))) === null;
    const takeAll = (ips: readonly string[]) => Promise.all(ips.map(take));

    expect(await takeAll([0, 1, 2, 3, 4].map((line) => `2001:db8:1:10${line}::1`))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    const passed = await takeAll(Array.from({ length: 20 }, (_, line) => `2001:db8:1:${line + 20}00::1`));
    expect(passed.filter(Boolean)).toHaveLength(12);
    // A request that the /56 refuses costs the /48 nothing.
    expect(await take('2001:db8:1:104::1')).toBe(false);
    expect(await take('2001:db8:2:100::1')).toBe(true);
  });

  it('looks at what is left without taking of it', async () => {
    const limits = limitsOf(1);
    const isSpent = async () => !(await limits.isLeft('refresh', '192.0.2.1'));

    expect([await isSpent(), await isSpent()]).toEqual([false, false]);
    await limits.takeByAddress('refresh', '192.0.2.1');
    expect(await isSpent()).toBe(true);
  });

  it('lets as many through as like to where the limit is 0', async () => {
    const limits = limitsOf(0);

    for (let request = 0; request < 100; request += 1) await limits.take('refresh', 'ann');

    expect(await limits.isLeft('refresh', '192.0.2.1')).toBe(true);
  });
});

function refusalOf(work: Promise<void>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}
