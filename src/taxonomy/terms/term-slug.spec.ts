import { termSlug } from './term-slug.js';

describe('termSlug', () => {
  it.each([
    ['World News', 'world-news'],
    ['Čas & Práce', 'cas-and-prace'],
    ['C', 'c'],
    ['C++', 'c-plus-plus'],
    ['C#', 'c-sharp'],
    ['#winter', 'winter'],
    ['日本語', '日本語'],
    ['日本 travel', '日本-travel'],
    ['हिन्दी', 'हिन्दी'],
    ['Αθήνα', 'athina'],
    ['Москва', 'moskva'],
    ['ﬁne', 'fine'],
  ])('makes of %s the slug %s', (name, slug) => {
    expect(termSlug(name)).toBe(slug);
  });

  it('makes a slug of a name without letters, for each name another one and always the same', () => {
    const slugs = ['🎉', '🎄', '!!!'].map(termSlug);

    expect(slugs).toEqual([expect.stringMatching(/^term-[0-9a-f]{8}$/), expect.any(String), expect.any(String)]);
    expect(new Set(slugs).size).toBe(3);
    expect(termSlug('🎉')).toBe(slugs[0]);
  });

  it('is never longer than a slug may be', () => {
    for (const name of ['x'.repeat(255), '語'.repeat(255), 'ש '.repeat(127)]) {
      expect(Array.from(termSlug(name)).length).toBeLessThanOrEqual(191);
    }
  });
});
