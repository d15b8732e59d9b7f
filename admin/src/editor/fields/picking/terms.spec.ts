import { isReadAlike, mayCreate, nameFault, pathAbove, termOfText } from './terms.js';
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

describe('A text that is typed and not picked', () => {
  const settled = { isSettled: true, isOfExisting: false };

  it('is the term that it names, or a tag that comes with its record', () => {
    expect(termOfText('moon', [page(true, 'Moon', 'Moons')], settled)).toEqual({ name: 'Moon' });
    expect(termOfText('mars', [page(false, 'Moon')], settled)).toBe('mars');
    expect(termOfText('mars', [page(false)], { isSettled: false, isOfExisting: false })).toBe('mars');
  });

  it('is none where it is not sure, or nothing may be made', () => {
    expect(termOfText('moon', [page(true, 'Moon', 'Moon')], settled)).toBeNull();
    expect(termOfText('mars', [page(true, 'Moon')], settled)).toBeNull();
    expect(termOfText('mars', [page(false, 'Moon')], { isSettled: true, isOfExisting: true })).toBeNull();
    expect(termOfText('mars', [], settled)).toBeNull();
  });

  it('is no new tag with a comma, which ends a name', () => {
    expect(mayCreate('Moon, Mars', [page(false)], true)).toBe(false);
    expect(mayCreate('Moon, Mars', [page(true)], true)).toBe(true);
  });
});

it('Names with other hyphens and dots are read alike, those with other signs are not', () => {
  expect([isReadAlike('Sub-3', 'sub 3'), isReadAlike('C#', 'C'), isReadAlike('C++', 'C')]).toEqual([
    true,
    false,
    false,
  ]);
});

it('A name of a term has as many characters as the service takes', () => {
  expect(nameFault('😀'.repeat(255))).toBeUndefined();
  expect(nameFault('😀'.repeat(256))).toContain('1 character too many: at most 255');
});

it('A term in a tree is shown with what stands above it', () => {
  expect(pathAbove({ path: 'news/world/europe' })).toBe('news / world');
  expect(pathAbove({ path: 'news' })).toBe('');
});
