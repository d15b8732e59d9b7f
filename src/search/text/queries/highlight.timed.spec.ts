import { cpuTime, leastRatio } from '../../../../test/support/cpu-time.js';
import { excerpt } from './highlight.js';
import { parseQuery } from './query.js';

describe('an excerpt', () => {
  it.each(['lorem ipsum ', 'a', '検', ' ', 'a ', "o'", '\u0301'])('of a million times %j takes little time', (part) => {
    const text = `${part.repeat(1_000_000 / part.length)} garden`;

    const started = cpuTime();
    excerpt(text, parseQuery(`garden ${part.trim()} -x "a b" c d e`));
    excerpt(text, parseQuery('garden'));

    expect(cpuTime() - started).toBeLessThan(20_000);
  });

  it('of a text of two characters takes not much longer than of another one, for a phrase that begins everywhere', () => {
    const query = parseQuery(`${'漢字'.repeat(79)}漢異`);
    const timeOf = (text: string): number => {
      excerpt(text, query);
      const started = cpuTime();
      for (let run = 0; run < 10; run += 1) excerpt(text, query);
      return cpuTime() - started;
    };
    const varied = Array.from({ length: 320_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000)));

    // 14 times as long where each repetition is compared.
    const [two, many] = ['漢字'.repeat(160_000), varied.join('')];
    expect(
      leastRatio(
        () => timeOf(two),
        () => timeOf(many),
        5,
      ),
    ).toBeLessThan(5);
  });
});
