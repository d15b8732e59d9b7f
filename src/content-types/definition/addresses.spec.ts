import { canShareAddress } from './addresses.js';

const type = (name: string, url_path: string) => ({ name, url_path });

describe('Records of two types', () => {
  it.each([
    ['/site/{slug}', '/site/{slug}'],
    ['/site/{slug}', '/site/{id}'],
    ['/{type}/{slug}', '/post/{slug}'],
    ['/{locale}/{slug}', '/de/{slug}'],
    ['/{slug}', '/about'],
    ['/a-{slug}', '/{slug}.html'],
    ['/x', '/x'],
  ])('can have one address: %s and %s', (one, other) => {
    expect(canShareAddress(type('post', one), type('page', other))).toBe(true);
    expect(canShareAddress(type('page', other), type('post', one))).toBe(true);
  });

  it.each([
    ['/{type}/{slug}', '/{type}/{slug}'],
    ['/{slug}', '/post/{slug}'],
    ['/{id}', '/{id}'],
    ['/{locale}/{slug}', '/posts/{slug}'],
    ['/a-{slug}', '/b-{slug}'],
    ['/{slug}.html', '/{slug}.txt'],
    ['/{id}', '/about'],
    ['/a.b/{slug}', '/axb/{slug}'],
  ])('have addresses of their own: %s and %s', (one, other) => {
    expect(canShareAddress(type('post', one), type('page', other))).toBe(false);
    expect(canShareAddress(type('page', other), type('post', one))).toBe(false);
  });
});
