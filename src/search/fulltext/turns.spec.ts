import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../common/errors/domain-error.js';
import { Turns } from './turns.js';

describe('Turns', () => {
  it('let no more than so many work at once, in the order in which they came, and all in the end', async () => {
    const turns = new Turns(2, 10);
    const begun: number[] = [];
    let atOnce = 0;
    let most = 0;

    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        turns.run(async () => {
          begun.push(n);
          most = Math.max(most, (atOnce += 1));
          await sleep(2);
          atOnce -= 1;
        }),
      ),
    );

    expect([most, begun]).toEqual([2, [0, 1, 2, 3, 4, 5, 6, 7]]);
  });

  it('go on after a failure', async () => {
    const turns = new Turns(1, 10);

    await expect(turns.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');

    expect(await turns.run(() => Promise.resolve('done'))).toBe('done');
  });

  it('refuse when too many wait', async () => {
    const turns = new Turns(1, 1);
    const first = turns.run(() => sleep(5));
    const second = turns.run(() => Promise.resolve('second'));

    const refused: unknown = await turns.run(() => Promise.resolve()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({ error: 'overloaded', headers: { 'Retry-After': '1' } });
    expect(await second).toBe('second');
    await first;
  });
});
