import { Window } from './window.js';

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
