import { cpuTime } from '../../../test/support/cpu-time.js';
import { appliedDelta, deltaOf } from './delta.js';

describe('Deltas of snapshots', () => {
  it('need linear time for texts that repeat themselves', async () => {
    const [base, target] = [Buffer.alloc(2_000_000, 'ab'), Buffer.alloc(2_000_000, 'ba')];
    const startedAt = cpuTime();

    appliedDelta(base, await deltaOf(base, target), target.length);

    expect(cpuTime() - startedAt).toBeLessThan(20_000);
  });
});
