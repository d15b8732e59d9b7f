import { CircuitBreaker } from './circuit-breaker.js';

describe('A breaker', () => {
  let now: number;
  let breaker: CircuitBreaker;

  beforeEach(() => {
    now = 0;
    breaker = new CircuitBreaker(() => now);
  });

  it('begins with the third failure in a row', () => {
    expect([breaker.failed(), breaker.failed(), breaker.succeeded()]).toEqual([false, false, false]);
    expect([breaker.failed(), breaker.failed(), breaker.isOn]).toEqual([false, false, false]);

    expect([breaker.failed(), breaker.isOn]).toEqual([true, true]);
  });

  it('lasts two seconds, and twice as long with each try that fails, up to thirty', () => {
    for (const _ of [1, 2, 3]) breaker.failed();
    const lengths: number[] = [];

    for (let tries = 0; tries < 6; tries += 1) {
      const since = now;
      while (breaker.isOn) now += 1_000;
      lengths.push(now - since);
      expect(breaker.failed()).toBe(false);
    }

    expect(lengths).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('is not prolonged by questions that were under way when it began', () => {
    for (let failures = 0; failures < 100; failures += 1) breaker.failed();

    now += 2_000;

    expect(breaker.isOn).toBe(false);
  });

  it('is over with the first answer, and the next one begins after three failures again', () => {
    for (const _ of [1, 2, 3]) breaker.failed();
    now += 2_000;

    expect([breaker.succeeded(), breaker.succeeded()]).toEqual([true, false]);
    expect([breaker.failed(), breaker.failed(), breaker.isOn, breaker.failed()]).toEqual([false, false, false, true]);
  });
});
