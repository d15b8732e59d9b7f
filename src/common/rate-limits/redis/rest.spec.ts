import { Rest } from './rest.js';

describe('A rest', () => {
  let now: number;
  let rest: Rest;

  beforeEach(() => {
    now = 0;
    rest = new Rest(() => now);
  });

  it('begins with the third failure in a row', () => {
    expect([rest.failed(), rest.failed(), rest.succeeded()]).toEqual([false, false, false]);
    expect([rest.failed(), rest.failed(), rest.isOn]).toEqual([false, false, false]);

    expect([rest.failed(), rest.isOn]).toEqual([true, true]);
  });

  it('lasts two seconds, and twice as long with each try that fails, up to thirty', () => {
    for (const _ of [1, 2, 3]) rest.failed();
    const lengths: number[] = [];

    for (let tries = 0; tries < 6; tries += 1) {
      const since = now;
      while (rest.isOn) now += 1_000;
      lengths.push(now - since);
      expect(rest.failed()).toBe(false);
    }

    expect(lengths).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('is not prolonged by questions that were under way when it began', () => {
    for (let failures = 0; failures < 100; failures += 1) rest.failed();

    now += 2_000;

    expect(rest.isOn).toBe(false);
  });

  it('is over with the first answer, and the next one begins after three failures again', () => {
    for (const _ of [1, 2, 3]) rest.failed();
    now += 2_000;

    expect([rest.succeeded(), rest.succeeded()]).toEqual([true, false]);
    expect([rest.failed(), rest.failed(), rest.isOn, rest.failed()]).toEqual([false, false, false, true]);
  });
});
