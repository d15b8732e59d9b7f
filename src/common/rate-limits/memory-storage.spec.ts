import { stopMonotonicClock } from '../../../test/support/clock.js';
import { MemoryStorage, Window } from './memory-storage.js';

const MINUTE = 60_000;

describe('Window', () => {
  it('remembers 50,000 keys at most, the one that was quiet for longest goes first', () => {
    const window = new Window({ requests: 1, within: MINUTE });

    window.add('first', 0);
    window.add('second', 1);
    window.add('first', 2);
    for (let key = 0; key < 49_999; key += 1) window.add(`key ${key}`, 3);

    expect(window.size).toBe(50_000);
    expect(window.stateOf('second', 4).remaining).toBe(1);
    expect(window.stateOf('first', 4).remaining).toBe(0);
  });

  it('forgets keys whose time is over, some with each request', () => {
    const window = new Window({ requests: 1, within: MINUTE });
    for (let key = 0; key < 1_000; key += 1) window.add(`key ${key}`, 0);

    for (let key = 0; key < 200; key += 1) window.add(`later ${key}`, MINUTE);

    expect(window.size).toBe(200);
  });

  it('counts nothing when it is only asked', () => {
    const window = new Window({ requests: 2, within: MINUTE });

    for (let asked = 0; asked < 10; asked += 1) window.stateOf('a', 0);

    expect(window.stateOf('a', 0)).toEqual({ limit: 2, remaining: 2, resetMs: MINUTE });
    expect(window.size).toBe(0);
  });
});

describe('MemoryStorage', () => {
  afterEach(() => jest.restoreAllMocks());

  it('says the same wait at whatever fraction of a millisecond a request comes', async () => {
    const pass = stopMonotonicClock(100_000);
    const windows = new MemoryStorage();
    const waits = new Set<number | undefined>();
    for (let n = 0; n < 1_000; n += 1) {
      pass(0.1237);
      const [count] = await windows.draw([{ window: 'login', key: `client ${n}`, limit: 1, within: 60_000 }]);
      waits.add(count?.timeToExpire);
    }

    expect(waits).toEqual(new Set([60]));
  });
});
