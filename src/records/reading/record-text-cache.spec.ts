import { RecentPages } from './record-text-cache.js';

describe('RecentPages', () => {
  it('knows a page from the second time on', () => {
    const pages = new RecentPages();

    expect([pages.visit('a'), pages.visit('b'), pages.visit('a'), pages.visit('a')]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('no longer knows a page that was excluded', () => {
    const pages = new RecentPages();
    pages.visit('a');
    pages.exclude('a');

    expect([pages.visit('a'), pages.visit('a')]).toEqual([false, false]);
  });

  it('forgets the least recently used one when there are more than a thousand', () => {
    const pages = new RecentPages();
    for (let n = 0; n < 1_000; n += 1) pages.visit(String(n));
    pages.visit('0');
    pages.visit('one more');

    expect([pages.visit('0'), pages.visit('2'), pages.visit('1')]).toEqual([true, true, false]);
  });
});
