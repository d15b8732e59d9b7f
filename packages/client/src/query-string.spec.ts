import { queryString } from './query-string.js';

describe('queryString', () => {
  it('nests conditions as the service reads them', () => {
    const query = queryString({ filter: { title: { contains: 'a&b' } }, page: 2 });

    expect(decodeURIComponent(query)).toBe('?filter[title][contains]=a&b&page=2');
    expect(query).toContain('a%26b');
  });

  it('separates the items of a list by commas', () => {
    expect(queryString({ status: ['draft', 'published'] })).toBe('?status=draft%2Cpublished');
  });

  it('leaves out what is absent or empty', () => {
    expect(queryString({ q: '', status: undefined })).toBe('');
  });
});
