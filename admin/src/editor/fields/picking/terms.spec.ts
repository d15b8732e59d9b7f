import { mayCreate, nameFault, pathAbove } from './terms.js';
import type { TermPicks } from './picking-queries.js';

const page = (hierarchical: boolean, ...names: string[]) =>
  ({ data: names.map((name) => ({ name })), meta: { hierarchical } }) as unknown as TermPicks;

describe('A term that is not there', () => {
  it('comes with its record in a flat taxonomy, and takes a right in a tree', () => {
    expect(mayCreate('Moon', [page(false)], false)).toBe(true);
    expect(mayCreate('Moon', [page(true)], false)).toBe(false);
    expect(mayCreate('Moon', [page(true)], true)).toBe(true);
    expect(mayCreate('Moon', [], true)).toBe(false);
  });

  it('is not made where one of the same name is, whatever its case and accents', () => {
    expect(mayCreate('čas  A práce', [page(false, 'Cas a Prace')], true)).toBe(false);
  });
});

it('A name of a term has as many characters as the service takes', () => {
  expect(nameFault('😀'.repeat(255))).toBeUndefined();
  expect(nameFault('😀'.repeat(256))).toContain('1 character too many: at most 255');
});

it('A term in a tree is shown with what stands above it', () => {
  expect(pathAbove({ path: 'news/world/europe' })).toBe('news / world');
  expect(pathAbove({ path: 'news' })).toBe('');
});
