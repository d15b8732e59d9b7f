import { Breaker } from './breaker.js';

describe('The breaker of a server', () => {
  let now: number;
  let changes: boolean[];
  let breaker: Breaker;

  beforeEach(() => {
    now = 0;
    changes = [];
    breaker = new Breaker(
      () => changes.push(breaker.isOpen),
      () => now,
    );
  });

  const fail = (times: number): void => {
    for (let n = 0; n < times; n += 1) breaker.failed();
  };
  const admitted = (): number => {
    let count = 0;
    while (breaker.admit() === 0 && count < 1_000) count += 1;
    return count;
  };
  const reopen = (): void => {
    breaker.open();
    breaker.probed(true);
    breaker.probed(true);
  };

  it('opens at the fifth failure in a row, and says so once', () => {
    fail(4);
    expect(breaker.isOpen).toBe(false);
    fail(5);

    expect([breaker.isOpen, changes]).toEqual([true, [true]]);
  });

  it('stays closed where anything is answered in between', () => {
    fail(4);
    breaker.succeeded();
    fail(4);
    breaker.probed(true);
    fail(4);

    expect(breaker.isOpen).toBe(false);
  });

  it('counts probes that are not answered as failures', () => {
    for (let n = 0; n < 5; n += 1) breaker.probed(false);

    expect(breaker.isOpen).toBe(true);
  });

  it('closes after two good probes in a row, and not by what else is answered', () => {
    breaker.open();
    for (const isAnswered of [true, false, true]) {
      breaker.probed(isAnswered);
      breaker.succeeded();
    }
    expect(breaker.isOpen).toBe(true);
    breaker.probed(true);

    expect([breaker.isOpen, changes]).toEqual([false, [true, false]]);
  });

  it('limits no connections as long as it has not been open', () => {
    expect(admitted()).toBe(1_000);
  });

  it('lets two connections in the first second, twice as many in each that follows, and after five all', () => {
    reopen();

    const perSecond = [0, 1_000, 2_000, 3_000, 4_000].map((since) => {
      now = since;
      return admitted();
    });

    expect(perSecond).toEqual([2, 4, 8, 16, 32]);
    now = 5_000;
    expect(admitted()).toBe(1_000);
  });

  it('says when the next connection may be opened', () => {
    reopen();
    now = 400;
    expect(admitted()).toBe(2);

    expect(breaker.admit()).toBe(600);
  });
});
