import fc from 'fast-check';
import { MAX_SLUG_LENGTH, numbered, SLUG_PATTERN, slugify } from '../../common/text/slug.js';
import { wantedSlug } from './slugs.js';

describe('Slugs', () => {
  it.each([
    ['Hello World!', 'hello-world'],
    ['Čas & Práce', 'cas-and-prace'],
    ['Größe', 'groesse'],
    ['Привет мир', 'privet-mir'],
    ['  --- ', ''],
    ['天気', '天気'],
  ])('%s becomes %s', (title, slug) => {
    expect(slugify(title)).toBe(slug);
  });

  it('are never empty, too long or unfit for a URL, whatever the title is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (title) => {
        const slug = wantedSlug(title, 'post');

        expect(slug).toMatch(new RegExp(SLUG_PATTERN, 'u'));
        expect(slug.length).toBeLessThanOrEqual(MAX_SLUG_LENGTH);
      }),
    );
  });

  it('keep their number when they are long', () => {
    const slug = numbered('x'.repeat(MAX_SLUG_LENGTH), 12);

    expect(slug).toHaveLength(MAX_SLUG_LENGTH);
    expect(slug).toMatch(/x-12$/);
  });
});
