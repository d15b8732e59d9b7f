import { EarlierUnits } from './earlier-units.js';
import { UNIT_LIMIT_MS } from './unit-of-work.js';

const waits: number[] = [];

jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  },
}));

describe('Units of work that have begun before', () => {
  it('have ended a second after the oldest of them may begin its commit', async () => {
    await new EarlierUnits().ended();

    expect(waits).toEqual([UNIT_LIMIT_MS + 1_000]);
  });
});
