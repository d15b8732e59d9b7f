import { stopMonotonicClock } from '../../../test/support/clock.js';
import { SlidingWindows } from './sliding-windows.js';

describe('SlidingWindows', () => {
  afterEach(() => jest.restoreAllMocks());

  it('says the same wait at whatever fraction of a millisecond a request comes', () => {
    const pass = stopMonotonicClock(100_000);
    const windows = new SlidingWindows();
    const waits = Array.from({ length: 1_000 }, (_, n) => {
      pass(0.1237);
      const [count] = windows.drawNow([{ window: 'login', key: `client ${n}`, limit: 1, within: 60_000 }]);
      return count?.timeToExpire;
    });

    expect(new Set(waits)).toEqual(new Set([60]));
  });
});
