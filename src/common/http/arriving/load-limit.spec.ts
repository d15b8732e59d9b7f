import { LoopDelay } from './load-limit.js';

/** A loop whose steps take as long as they are set to, by a clock of its own. */
function loopOf(limitMs: number) {
  let now = 1_000;
  const delay = new LoopDelay(limitMs, now);
  const step = (ms: number): boolean => {
    delay.step((now += ms));
    return delay.isLate;
  };
  /** Seconds that begin with so many late steps and are in time otherwise. @returns what was found after each */
  const seconds = (count: number, lateSteps: number): boolean[] =>
    Array.from({ length: count }, () => {
      const end = now + 1_000;
      for (let n = 0; n < lateSteps; n += 1) step(limitMs + 21);
      while (now < end) step(20);
      return delay.isLate;
    });
  return { step, seconds };
}

describe('The delay of the event loop', () => {
  it('is too long after five seconds of late steps, and all right after one second without', () => {
    const { seconds } = loopOf(100);

    expect(seconds(7, 1)).toEqual([false, false, false, false, true, true, true]);
    expect(seconds(1, 0)).toEqual([false]);
    expect(seconds(5, 1)).toEqual([false, false, false, false, true]);
  });

  it('is all right while one hundredth of the steps of five seconds is late, though there is one in the last', () => {
    const { seconds } = loopOf(100);

    seconds(4, 0);
    expect(seconds(1, 3)).toEqual([true]);
    expect(seconds(3, 0)).toEqual([false, false, false]);
    expect(seconds(2, 1)).toEqual([false, false]);
  });

  it('is that of the last five seconds: an older late step keeps no client out', () => {
    const { seconds } = loopOf(100);
    seconds(1, 3);
    expect(seconds(4, 0)).toEqual([false, false, false, true]);
    expect(seconds(1, 1)).toEqual([false]);
  });

  it('is too long at steps above the limit, not at it', () => {
    const at = loopOf(500);
    const above = loopOf(500);

    expect(Array.from({ length: 20 }, () => at.step(520))).not.toContain(true);
    expect(Array.from({ length: 20 }, () => above.step(521))).toContain(true);
  });

  it('is all right at one or two long steps, and too long at steps of seconds', () => {
    const { step, seconds } = loopOf(500);

    seconds(3, 0);
    step(60_000);
    step(60_000);
    expect(seconds(5, 0)).not.toContain(true);
    expect(Array.from({ length: 5 }, () => step(3_000))).toContain(true);
  });

  it('is not looked at where there is no limit, and that of this process is below a minute', () => {
    expect(LoopDelay.watch(0).isLate()).toBe(false);
    const { isLate, end } = LoopDelay.watch(60_000);

    expect(isLate()).toBe(false);
    end();
  });
});
