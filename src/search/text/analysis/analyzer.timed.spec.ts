import { cpuTime } from '../../../../test/support/cpu-time.js';
import { indexText } from './analyzer.js';

describe('the terms of a text', () => {
  it('of a pile of marks take no time that grows with its square', async () => {
    const pile = `a${'\u0301\u0323'.repeat(200_000)}b`;

    const started = cpuTime();
    await indexText(pile);

    expect(cpuTime() - started).toBeLessThan(10_000);
  });
});
