import { stopMonotonicClock } from '../../../test/support/clock.js';
import { TurnCounter } from '../../../test/support/turn-counter.js';
import { turnIfLong } from './own-turn.js';

describe('turnIfLong', () => {
  let pass: (milliseconds: number) => void;

  beforeEach(() => {
    pass = stopMonotonicClock();
  });
  afterEach(() => jest.restoreAllMocks());

  it('lets others have their turn after each few milliseconds of work', async () => {
    const turns = new TurnCounter();

    for (let piece = 0; piece < 5; piece += 1) {
      await turnIfLong();
      pass(10);
    }

    expect(turns.stop()).toBeGreaterThanOrEqual(4);
  });

  it('waits for nothing between short pieces', async () => {
    const turns = new TurnCounter();

    for (let piece = 0; piece < 5; piece += 1) await turnIfLong();

    expect(turns.stop()).toBeLessThan(2);
  });
});
