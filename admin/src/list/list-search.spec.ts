import { listSearch, nextSort, USUAL } from './list-search.js';

describe('listSearch', () => {
  it('looks for nothing in the trash', () => {
    expect(listSearch({ q: 'words', status: 'trash' })).toEqual({ ...USUAL, status: 'trash' });
  });

  it('shows the newest records of all statuses where the address says nothing', () => {
    expect(listSearch({})).toEqual(USUAL);
  });

  it('reads words, status, order and page of an address', () => {
    const search = { q: 'moon', status: 'draft', sort: 'title', page: 3 };

    expect(listSearch(search)).toEqual(search);
  });

  it('takes a number for the words that it looks like', () => {
    expect(listSearch({ q: 2024 }).q).toBe('2024');
  });

  it('looks for the records of a term, or for words, and in the trash for neither', () => {
    expect(listSearch({ term: 'tag:12' })).toEqual({ ...USUAL, term: 'tag:12' });
    expect(listSearch({ term: 'tag:12', q: 'moon' })).toEqual({ ...USUAL, q: 'moon' });
    expect(listSearch({ term: 'tag:12', status: 'trash' })).toEqual({ ...USUAL, status: 'trash' });
  });

  it.each([
    ['a term without an id', { term: 'tag:' }],
    ['a term with an id that is none', { term: 'tag:0' }],
    ['an unknown status', { status: 'scheduled' }],
    ['an order by a field that has none', { sort: 'body' }],
    ['page 0', { page: 0 }],
    ['half a page', { page: 1.5 }],
    ['words that are none', { q: ['a'] }],
    ['blanks alone', { q: '  ' }],
  ])('passes over %s', (_, search) => {
    expect(listSearch(search)).toEqual(USUAL);
  });
});

describe('nextSort', () => {
  it('turns the order of the column that is sorted by', () => {
    expect([nextSort('title', 'title'), nextSort('-title', 'title')]).toEqual(['-title', 'title']);
  });

  it('begins with A for texts and with the newest for times', () => {
    expect([nextSort('-updated_at', 'title'), nextSort('title', 'updated_at')]).toEqual(['title', '-updated_at']);
  });
});
