import { leastTime } from '../../../test/support/cpu-time.js';
import { TextDiff } from './text-diff.js';

describe('The comparison of texts', () => {
  it('keeps to its time when texts have nothing in common', async () => {
    const noise = (seed: number) => Array.from({ length: 40_000 }, (_, n) => ((n + 1) * seed) % 99_991).join(' ');
    const [from, to] = [noise(7_919), noise(104_729)];

    expect(await leastTime(() => new TextDiff().changes(from, to), 10_000)).toBeLessThan(10_000);
  });

  it('keeps to its time when texts have very many parts', async () => {
    const [from, to] = ['a\n'.repeat(330_000), 'b\n'.repeat(330_000)];

    expect(await leastTime(() => new TextDiff().changes(from, to), 2_000)).toBeLessThan(2_000);
  });
});
