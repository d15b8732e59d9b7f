import { OwnLease } from './own-lease.js';

describe('A lease of this process', () => {
  let lease: OwnLease;

  beforeEach(() => {
    jest.useFakeTimers();
    lease = new OwnLease({ name: 'counts', owner: 'this', epoch: 1 });
  });

  afterEach(() => jest.useRealTimers());

  it('is relied on for ten seconds from the beginning of what confirmed it', () => {
    const begunAt = performance.now();
    jest.advanceTimersByTime(4_000);
    lease.confirm(begunAt);
    const { doubted } = lease;

    jest.advanceTimersByTime(5_999);
    expect([lease.isSure, doubted.aborted]).toEqual([true, false]);

    jest.advanceTimersByTime(1);
    expect([lease.isSure, doubted.aborted]).toEqual([false, true]);
  });

  it('goes on with each confirmation, and begins anew after a doubt', () => {
    lease.confirm(performance.now());
    const { doubted } = lease;
    jest.advanceTimersByTime(9_000);
    lease.confirm(performance.now());
    jest.advanceTimersByTime(9_000);
    expect([lease.isSure, doubted.aborted]).toEqual([true, false]);

    jest.advanceTimersByTime(1_000);
    lease.confirm(performance.now());

    expect([lease.isSure, doubted.aborted, lease.doubted.aborted]).toEqual([true, true, false]);
  });

  it('is not relied on in a process that stood still, before its timers ring', () => {
    lease.confirm(performance.now() - 10_000);

    expect(lease.isSure).toBe(false);
  });

  it('ends at once where another process has it', () => {
    lease.confirm(performance.now());

    lease.drop();

    expect([lease.isSure, lease.doubted.aborted]).toEqual([false, true]);
  });
});
