import { DomainError } from '../../errors/domain-error.js';
import { WeightedSemaphore } from './weighted-semaphore.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('WeightedSemaphore', () => {
  const entering = (semaphore: WeightedSemaphore, key: string, weight: number) => {
    const state: { leave?: () => void } = {};
    void semaphore.acquire(key, weight).then((leave) => (state.leave = leave));
    return state;
  };

  it('keeps what is left for others from a key that has its share', async () => {
    const semaphore = new WeightedSemaphore({ total: 10, each: 4, waitMs: 60_000 });
    const greedy = [1, 2, 3].map(() => entering(semaphore, 'greedy', 2));

    const other = entering(semaphore, 'other', 4);
    await turn();

    expect(greedy.map(({ leave }) => leave !== undefined)).toEqual([true, true, false]);
    expect(other.leave).toBeDefined();
    greedy[0]?.leave?.();
    await turn();
    expect(greedy[2]?.leave).toBeDefined();
  });

  it('has no more under way than there is room for, and lets in who waits in their order', async () => {
    const semaphore = new WeightedSemaphore({ total: 4, each: 4, waitMs: 60_000 });
    const all = ['a', 'b', 'c', 'd'].map((key) => entering(semaphore, key, 2));
    await turn();
    const isIn = () => all.map(({ leave }) => leave !== undefined);
    expect(isIn()).toEqual([true, true, false, false]);

    all[0]?.leave?.();
    all[0]?.leave?.();
    await turn();

    expect(isIn()).toEqual([true, true, true, false]);
    all[1]?.leave?.();
    await turn();
    expect(isIn()).toEqual([true, true, true, true]);
  });

  it('lets nothing pass what waits for the room of all, and goes on when that gives up', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const semaphore = new WeightedSemaphore({ total: 4, each: 4, waitMs: 30 });
    const leave = await semaphore.acquire('a', 2);
    const large = semaphore.acquire('b', 4).catch((error: unknown) => error);

    const small = entering(semaphore, 'c', 1);
    await turn();
    expect(small.leave).toBeUndefined();

    await jest.advanceTimersByTimeAsync(30);
    jest.useRealTimers();
    expect(await large).toBeInstanceOf(DomainError);
    await turn();
    expect(small.leave).toBeDefined();
    leave();
  });

  it('lets others pass what waits for its own share', async () => {
    const semaphore = new WeightedSemaphore({ total: 10, each: 4, waitMs: 60_000 });
    const [first, second] = [entering(semaphore, 'greedy', 4), entering(semaphore, 'greedy', 4)];
    const other = entering(semaphore, 'other', 4);
    await turn();

    expect([first, second, other].map(({ leave }) => leave !== undefined)).toEqual([true, false, true]);
    first.leave?.();
    await turn();
    second.leave?.();
  });

  it('gives a permit at once while there is one, and none past what waits', async () => {
    const semaphore = new WeightedSemaphore({ total: 4, each: 3, waitMs: 60_000 });
    const leave = semaphore.tryAcquire('a', 2);
    expect(leave).toEqual(expect.any(Function));
    expect(semaphore.tryAcquire('a', 2)).toBeNull();
    expect(semaphore.tryAcquire('b', 3)).toBeNull();

    const large = entering(semaphore, 'b', 3);
    expect(semaphore.tryAcquire('c', 1)).toBeNull();

    leave?.();
    await turn();
    expect(large.leave).toBeDefined();
    expect(semaphore.tryAcquire('c', 1)).toEqual(expect.any(Function));
  });

  it('refuses what finds no room in time, with overloaded', async () => {
    const semaphore = new WeightedSemaphore({ total: 4, each: 4, waitMs: 1 });
    const leave = await semaphore.acquire('a', 3);

    const refused = await semaphore.acquire('b', 2).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({ error: 'overloaded', headers: { 'Retry-After': '1' } });
    leave();
    expect(await semaphore.acquire('b', 4)).toEqual(expect.any(Function));
  });
});
