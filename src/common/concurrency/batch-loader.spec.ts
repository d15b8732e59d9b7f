import { BatchLoader } from './batch-loader.js';

describe('BatchLoader', () => {
  const squares = () => {
    const calls: number[][] = [];
    const batch = new BatchLoader<number, number>((keys) => {
      calls.push([...keys]);
      return Promise.resolve(new Map(keys.filter((key) => key > 0).map((key) => [key, key * key])));
    });
    return { calls, batch };
  };

  it('asks once for all that is asked for in one turn, and for each thing once', async () => {
    const { calls, batch } = squares();

    const answers = await Promise.all([batch.get(2), batch.get(3), batch.get(2), batch.get(-1)]);

    expect(answers).toEqual([4, 9, 4, undefined]);
    expect(calls).toEqual([[2, 3, -1]]);
  });

  it('asks anew in the next turn', async () => {
    const { calls, batch } = squares();

    await batch.get(2);
    await batch.get(2);

    expect(calls).toEqual([[2], [2]]);
  });

  it('fails for all who asked together, and for none after them', async () => {
    let isBroken = true;
    const batch = new BatchLoader<number, number>(() =>
      isBroken ? Promise.reject(new Error('gone')) : Promise.resolve(new Map([[1, 1]])),
    );

    const results = await Promise.allSettled([batch.get(1), batch.get(2)]);
    isBroken = false;

    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(batch.get(1)).resolves.toBe(1);
  });
});
