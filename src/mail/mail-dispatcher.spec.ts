import { pauseAfter, reasonOf } from './mail-dispatcher.js';
import type { Letter } from './letter.js';

const LETTER: Letter = { subject: 'Your code', paragraphs: [], code: '048213' };

describe('The pause after an attempt', () => {
  it('doubles each time, up to an hour', () => {
    expect([1, 2, 3, 10, 11, 12, 40].map((attempts) => pauseAfter(attempts, 1))).toEqual([
      2_000, 4_000, 8_000, 1_024_000, 2_048_000, 3_600_000, 3_600_000,
    ]);
  });

  it('is between half of that and all of it, at random', () => {
    expect(pauseAfter(3, 0)).toBe(4_000);
    expect(new Set(Array.from({ length: 20 }, () => pauseAfter(20))).size).toBeGreaterThan(1);
  });
});

describe('The reason of a failure', () => {
  it('is one short line', () => {
    expect(reasonOf(new Error('550 no\r\nsuch\u0000 user'), LETTER)).toBe('550 no such user');
    expect(reasonOf('x'.repeat(500), LETTER)).toHaveLength(200);
  });

  it('never holds the code or a link, whatever the other side quotes', () => {
    const quoted = new Error('554 spam: "048213" at HTTPS://cms.example.com/link?token=abc, sorry');

    expect(reasonOf(quoted, LETTER)).toBe('554 spam: "(code)" at (link) sorry');
    expect(reasonOf(new Error('554 048213'), { subject: 'x', paragraphs: [], code: '' })).toBe('554 048213');
  });
});
