import { searchSearch } from './search-search.js';

describe('searchSearch', () => {
  it('reads words, type, status and page of an address', () => {
    const search = { q: 'moon', type: 'post', status: 'draft', page: 3 };

    expect(searchSearch(search)).toEqual(search);
  });

  it('looks for nothing where the address says nothing', () => {
    expect(searchSearch({})).toEqual({ q: '', page: 1 });
  });

  it.each([
    ['a status that is none, such as the trash', { status: 'trash' }],
    ['a type without a name', { type: '' }],
    ['several types', { type: ['post', 'page'] }],
    ['page 0', { page: 0 }],
  ])('passes over %s', (_, search) => {
    expect(searchSearch({ q: 'moon', ...search })).toEqual({ q: 'moon', page: 1 });
  });
});
