import { setTimeout as sleep } from 'node:timers/promises';
import { stopMonotonicClock } from '../../../test/support/clock.js';
import { Gate } from '../../../test/support/gate.js';
import { KeyedMutex } from './keyed-mutex.js';

describe('KeyedMutex', () => {
  afterEach(() => jest.restoreAllMocks());

  it('runs work on one key in order, after failures too, and different keys side by side', async () => {
    const mutex = new KeyedMutex<string>();
    const log: string[] = [];
    const gate = new Gate();
    const work = (name: string, begins?: Promise<void>) => async () => {
      await begins;
      log.push(name);
      if (name === 'a1') throw new Error('first fails');
    };

    const first = mutex.run('a', work('a1', gate.opened));
    const second = mutex.run('a', work('a2'));
    await mutex.run('b', work('b1'));
    gate.open();

    await expect(first).rejects.toThrow('first fails');
    await second;
    expect(log).toEqual(['b1', 'a1', 'a2']);
  });

  it('knows how much work there is on a key, until all of it is done or has failed', async () => {
    const mutex = new KeyedMutex<string>();
    const lengths = () => [mutex.lengthOf('a'), mutex.lengthOf('b')];

    const first = mutex.run('a', () => sleep(1));
    const second = mutex.run('a', () => Promise.reject(new Error('no')));
    expect(lengths()).toEqual([2, 0]);

    await first;
    await sleep(0);
    await expect(second).rejects.toThrow('no');
    await sleep(0);
    expect(lengths()).toEqual([0, 0]);
  });

  it('refuses work above its bound, on one thing alone, and takes work again afterwards', async () => {
    const mutex = new KeyedMutex<number>({ length: 2, waitMs: 600_000 });
    const outcomes = await Promise.allSettled([1, 1, 1, 2].map((key) => mutex.run(key, () => Promise.resolve(key))));

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: { error: 'overloaded', headers: { 'Retry-After': '1' } } });
    expect(await mutex.run(1, () => Promise.resolve('again'))).toBe('again');
  });

  it('does not begin work that has waited for too long', async () => {
    const pass = stopMonotonicClock();
    const mutex = new KeyedMutex<number>({ length: 2, waitMs: 10 });
    let hasBegun = false;
    const first = mutex.run(1, () => {
      pass(11);
      return Promise.resolve();
    });
    const late = mutex.run(1, () => Promise.resolve((hasBegun = true)));

    await first;

    await expect(late).rejects.toMatchObject({ error: 'overloaded' });
    expect(hasBegun).toBe(false);
  });
});
