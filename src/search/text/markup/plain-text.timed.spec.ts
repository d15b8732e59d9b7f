import { cpuTime, leastRatio } from '../../../../test/support/cpu-time.js';
import { plainText } from './plain-text.js';

/** The processor time of a text, milliseconds. */
function timeOf(body: string): number {
  const start = cpuTime();
  plainText(body);
  return cpuTime() - start;
}

describe('the visible text', () => {
  it.each([
    ...[
      '<',
      '[',
      '*',
      '_',
      '`',
      '&',
      '#',
      '>',
      '<a',
      '</a>',
      '<div>',
      '<!--',
      '![',
      '[a](',
      '[a](b ',
      '\\',
      '~~~\n',
      '* ',
    ],
    ...[
      ' ',
      '\t',
      '\n',
      '<a href="',
      '&#',
      '&amp',
      '- - ',
      '|',
      '|-\n',
      '|\n',
      '<script>',
      '`a',
      '<a@',
      '<http:',
      '<div></x>',
      '[](',
    ],
  ])('of a million times %j takes linear time', (part) => {
    const [short, long] = [part.repeat(125_000 / part.length), part.repeat(1_000_000 / part.length)];

    // Eight times as long: 8 times the time, and 64 times if it grew with the square. Below some milliseconds all is noise.
    expect(
      leastRatio(
        () => timeOf(long),
        () => Math.max(timeOf(short), 10),
        24,
      ),
    ).toBeLessThan(24);
  });
});
