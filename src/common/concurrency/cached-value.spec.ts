import { setTimeout as sleep } from 'node:timers/promises';
import { CachedValue } from './cached-value.js';

describe('What is known for a short time', () => {
  it('is read once for all that ask meanwhile, which go on in different turns of the event loop', async () => {
    let reads = 0;
    const cached = new CachedValue(0, async () => {
      await sleep(10);
      return (reads += 1);
    });
    const turns: number[] = [];
    let turn = 0;
    const next = (): void => {
      turn += 1;
      if (turns.length < 20) setImmediate(next);
    };
    setImmediate(next);

    const values = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const value = await cached.current();
        turns.push(turn);
        return value;
      }),
    );

    expect(values).toEqual(Array.from({ length: 20 }, () => 1));
    expect(new Set(turns.slice(1)).size).toBe(19);
  });
});
