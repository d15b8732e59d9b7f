import { fakeMonotonicTime } from '../../../test/support/clock.js';
import { UnitPace, weightOf } from './unit-pace.js';

jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => {
    jest.advanceTimersByTime(ms);
    return Promise.resolve();
  },
}));

describe('The pace of a long task', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: fakeMonotonicTime() * 1_000, system: 0 }));
  });

  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  /** A unit that holds the lock for so long after it has waited for it. */
  const unit =
    (heldMs: number, waitedMs = 0) =>
    (begun: () => void) => {
      jest.advanceTimersByTime(waitedMs);
      begun();
      jest.advanceTimersByTime(heldMs);
      return Promise.resolve();
    };

  async function timed(work: () => Promise<unknown>): Promise<number> {
    const start = fakeMonotonicTime();
    await work();
    return fakeMonotonicTime() - start;
  }

  it('lets units grow until one takes as long as others may wait', async () => {
    const pace = new UnitPace({ hasOneLock: true });
    const capacities: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      capacities.push(pace.capacity);
      await timed(() => pace.run(pace.capacity, unit(pace.capacity / 10)));
    }

    expect(capacities[0]).toBe(100);
    expect(Math.max(...capacities)).toBe(450);
    expect(capacities.at(-1)).toBe(450);
  });

  it('cuts the next unit when one held the lock for too long, and never below one item', async () => {
    const pace = new UnitPace({ hasOneLock: true });
    const before = pace.capacity;
    await timed(() => pace.run(before, unit(90)));
    expect(pace.capacity).toBe(before / 2);
    for (let n = 0; n < 9; n += 1) await timed(() => pace.run(1, unit(500)));
    expect(pace.capacity).toBe(1);
  });

  it('does not take the time that a unit waited for that which it held the lock', async () => {
    const pace = new UnitPace({ hasOneLock: true });
    const before = pace.capacity;
    await timed(() => pace.run(before, unit(1, 5_000)));
    expect(pace.capacity).toBeGreaterThan(before);
  });

  it('leaves the lock free for longer than any pause of those that wait, at the latest after two units', async () => {
    const pace = new UnitPace({ hasOneLock: true });
    const times = [];
    for (let n = 0; n < 5; n += 1) times.push(await timed(() => pace.run(1, unit(25))));
    expect(times).toEqual([25, 25, 50, 25, 50]);
  });

  it('makes no pause on a server, and takes as much as a statement holds', async () => {
    const pace = new UnitPace({ hasOneLock: false });
    const times = [];
    for (let n = 0; n < 3; n += 1) times.push(await timed(() => pace.run(1, unit(100))));
    expect(times).toEqual([100, 100, 100]);
    expect([pace.capacity, weightOf(0), weightOf(1_000_000)]).toEqual([1_000, 1, 501]);
  });
});
