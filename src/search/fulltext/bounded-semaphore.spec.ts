import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../common/errors/domain-error.js';
import { BoundedSemaphore } from './bounded-semaphore.js';

describe('BoundedSemaphore', () => {
  it('let no more than so many work at once, in the order in which they came, and all in the end', async () => {
    const semaphore = new BoundedSemaphore(2, 10);
    const begun: number[] = [];
    let atOnce = 0;
    let most = 0;

    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        semaphore.run(async () => {
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
    const semaphore = new BoundedSemaphore(1, 10);

    await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');

    expect(await semaphore.run(() => Promise.resolve('done'))).toBe('done');
  });

  it('refuse when too many wait', async () => {
    const semaphore = new BoundedSemaphore(1, 1);
    const first = semaphore.run(() => sleep(5));
    const second = semaphore.run(() => Promise.resolve('second'));

    const refused: unknown = await semaphore.run(() => Promise.resolve()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({ error: 'overloaded', headers: { 'Retry-After': '1' } });
    expect(await second).toBe('second');
    await first;
  });
});
