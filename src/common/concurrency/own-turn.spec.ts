import { TurnCounter } from '../../../test/support/turn-counter.js';
import { turnIfLong } from './own-turn.js';

/** Work of so many milliseconds. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('turnIfLong', () => {
  it('lets others have their turn after each few milliseconds of work', async () => {
    const turns = new TurnCounter();

    for (let piece = 0; piece < 5; piece += 1) {
      await turnIfLong();
      work(10);
    }

    expect(turns.stop()).toBeGreaterThanOrEqual(4);
  });

  it('waits for nothing between short pieces', async () => {
    const turns = new TurnCounter();

    for (let piece = 0; piece < 5; piece += 1) await turnIfLong();

    expect(turns.stop()).toBeLessThan(2);
  });
});
