import fc from 'fast-check';
import { MAX_SLUG_LENGTH, numbered, SLUG_PATTERN, slugify } from './slug.js';

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const SENT = new RegExp(SLUG_PATTERN, 'u');

describe('Slugs', () => {
  it.each([
    ['Hello world', 'hello-world'],
    ['  Čas & Práce! ', 'cas-and-prace'],
    ['Straße über Ægir', 'strasse-ueber-aegir'],
    ['News of GitHub', 'news-of-github'],
    ['C++ & C#', 'c-and-c'],
    ['under_score', 'under-score'],
    ['Привет', 'privet'],
    ['天気', '天気'],
    ['한국어 제목', '한국어-제목'],
    ['iPhone 発売', 'iphone-発売'],
    ['ＡＢＣ　１２３', 'abc-123'],
    ['¯\\_(ツ)_/¯', 'ツ'],
    ['🙂', ''],
    ['---', ''],
    ['', ''],
  ])('make %p into %p', (title, slug) => {
    expect(slugify(title)).toBe(slug);
  });

  it('have Georgian capitals as the small letters that they are', () => {
    expect(slugify('ᲗᲑᲘᲚᲘᲡᲘ')).toBe(slugify('თბილისი'));
  });

  it('are made of any title: empty, or as one that is sent has to be, never too long, and stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (title) => {
        const slug = slugify(title);
        expect(slug).toMatch(slug === '' ? /^$/ : SENT);
        expect(slug.length).toBeLessThanOrEqual(MAX_SLUG_LENGTH);
        expect(slugify(slug)).toBe(slug);
      }),
    );
  });

  it('keep their number however long they are', () => {
    expect(numbered('hello', 2)).toBe('hello-2');
    expect(numbered('a'.repeat(191), 12)).toBe(`${'a'.repeat(188)}-12`);
    expect(numbered(`${'a'.repeat(187)}-bcd`, 12)).toBe(`${'a'.repeat(187)}-12`);
    fc.assert(
      fc.property(fc.stringMatching(SLUG), fc.integer({ min: 2, max: 1e9 }), (slug, n) => {
        const found = numbered(slug, n);
        expect(found.endsWith(`-${n}`)).toBe(true);
        expect(found).toMatch(SLUG);
        expect(found.length).toBeLessThanOrEqual(MAX_SLUG_LENGTH);
      }),
    );
  });
});
