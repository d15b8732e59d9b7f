import { slugOf } from './slug.js';

describe('slugOf', () => {
  it.each([
    ['Čas & Práce!', 'cas-prace'],
    ['What’s new in 2.0?', 'whats-new-in-2-0'],
    ['日本 travel', '日本-travel'],
    ['  — ', ''],
    ['a'.repeat(300), 'a'.repeat(191)],
  ])('makes of %s: %s', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });
});
