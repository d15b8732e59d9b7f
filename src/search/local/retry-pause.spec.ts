import { RetryPause } from './retry-pause.js';

describe('The pause after a failure', () => {
  let now: number;

  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** In seconds. */
  function lengthOf(pause: RetryPause, mostMs: number): number {
    pause.begin(mostMs);
    const from = now;
    while (!pause.isOver) now += 1_000;
    return (now - from) / 1_000;
  }

  it('doubles up to the limit of the kind of failure', () => {
    const pause = new RetryPause();

    expect(pause.isOver).toBe(true);
    expect(Array.from({ length: 5 }, () => lengthOf(pause, 30_000))).toEqual([5, 10, 20, 30, 30]);
    expect(Array.from({ length: 5 }, () => lengthOf(pause, 600_000))).toEqual([60, 120, 240, 480, 600]);
    expect(lengthOf(pause, 30_000)).toBe(30);
  });

  it('is short again after a success', () => {
    const pause = new RetryPause();
    lengthOf(pause, 30_000);
    lengthOf(pause, 30_000);

    pause.reset();

    expect(lengthOf(pause, 30_000)).toBe(5);
  });
});
