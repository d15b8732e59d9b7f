import { LoopDelay } from './load-limit.js';

const LATE = 521;

/** A loop whose steps take as long as they are set to, by a clock of its own. */
function loop() {
  let now = 1_000;
  const delay = new LoopDelay(now);
  const step = (ms: number): boolean => {
    delay.step((now += ms));
    return delay.isLate;
  };
  /** Steps in time for so long. @returns what was found after each */
  const calm = (ms: number): boolean[] => Array.from({ length: ms / 20 }, () => step(20));
  return { step, calm };
}

describe('The delay of the event loop', () => {
  it('is too long after three late steps, and all right after one second without', () => {
    const { step, calm } = loop();

    expect([step(LATE), step(LATE), step(LATE)]).toEqual([false, false, true]);
    expect(calm(980)).not.toContain(false);
    expect(calm(20)).toEqual([false]);
  });

  it('is that of the last five seconds: an older late step keeps no client out', () => {
    const { step, calm } = loop();
    step(LATE);
    step(LATE);
    calm(3_900);
    expect(step(LATE)).toBe(true);

    calm(4_000);
    expect(step(LATE)).toBe(false);
  });

  it('is too long at steps above the limit, not at it', () => {
    const [at, above] = [loop(), loop()];

    expect(Array.from({ length: 20 }, () => at.step(520))).not.toContain(true);
    expect(Array.from({ length: 20 }, () => above.step(521))).toContain(true);
  });

  it('is all right at one or two long steps, and too long at steps of seconds', () => {
    const { step, calm } = loop();

    step(60_000);
    step(60_000);
    expect(calm(5_000)).not.toContain(true);
    expect(Array.from({ length: 5 }, () => step(3_000))).toContain(true);
  });

  it('of this process is in time', () => {
    const { delay, end } = LoopDelay.watch();

    expect(delay.isLate).toBe(false);
    end();
  });
});
