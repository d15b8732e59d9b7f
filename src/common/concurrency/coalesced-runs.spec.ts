import { setTimeout as sleep } from 'node:timers/promises';
import { CoalescedRuns } from './coalesced-runs.js';

describe('CoalescedRuns', () => {
  const counted = () => {
    let starts = 0;
    const work = async () => {
      starts += 1;
      const mine = starts;
      await sleep(10);
      return mine;
    };
    return { runs: new CoalescedRuns<number>(), work };
  };

  it('lets all who ask during a run share the next one, which starts after they asked', async () => {
    const { runs, work } = counted();

    const answers = await Promise.all([1, 2, 3, 4].map(() => runs.run('a', work)));

    expect(answers).toEqual([1, 2, 2, 2]);
    expect(await runs.run('a', work)).toBe(3);
  });

  it('keeps different things apart', async () => {
    const { runs, work } = counted();

    expect(await Promise.all([runs.run('a', work), runs.run('b', work)])).toEqual([1, 2]);
  });

  it('lets callers that have shared a run go on in different turns of the event loop', async () => {
    const { runs, work } = counted();
    const turns: number[] = [];
    let turn = 0;
    const next = (): void => {
      turn += 1;
      if (turns.length < 20) setImmediate(next);
    };
    setImmediate(next);

    await Promise.all(Array.from({ length: 21 }, () => runs.run('a', work).then(() => turns.push(turn))));

    expect(new Set(turns.slice(2)).size).toBe(19);
  });

  it('goes on after a run that failed', async () => {
    const { runs, work } = counted();
    const failing = runs.run('a', () => Promise.reject(new Error('gone')));
    const next = runs.run('a', work);

    await expect(failing).rejects.toThrow('gone');
    expect(await next).toBe(1);
  });
});
