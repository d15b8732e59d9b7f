import { LoopDelay } from './loop-delay.js';

/** A loop that is as late as it is set to be. */
function watched(limitMs: number) {
  const loop = { delayMs: 0 };
  const delays = { percentile: () => loop.delayMs * 1_000_000, reset: jest.fn() };
  const delay = new LoopDelay(limitMs, delays);
  const look = (times: number): boolean => {
    for (let n = 0; n < times; n += 1) delay.look();
    return delay.isLate;
  };
  return { loop, look, reset: delays.reset };
}

describe('The delay of the event loop', () => {
  it('is too long after five seconds of it, and all right after one', () => {
    const { loop, look } = watched(500);
    loop.delayMs = 501;

    expect(look(4)).toBe(false);
    expect(look(1)).toBe(true);
    expect(look(3)).toBe(true);
    loop.delayMs = 500;
    expect(look(1)).toBe(false);
    loop.delayMs = 9_000;
    expect(look(4)).toBe(false);
  });

  it('is measured anew after each judgement', () => {
    const { look, reset } = watched(500);

    look(10);

    expect(reset).toHaveBeenCalledTimes(2);
  });

  it('is not looked at where there is no limit, and that of this process is below a minute', () => {
    expect(LoopDelay.watch(0).isLate()).toBe(false);
    const { isLate, end } = LoopDelay.watch(60_000);

    expect(isLate()).toBe(false);
    end();
  });
});
