import fc from 'fast-check';
import { DomainError } from './errors/domain-error.js';
import { pageQuery } from './page-query.js';

const read = (text: string) => pageQuery(new URLSearchParams(text));

describe('page and per_page', () => {
  it('are 1 and 15 unless a client says otherwise', () => {
    expect(read('')).toEqual({ page: 1, perPage: 15 });
  });

  it.each([
    ['1', 1],
    ['99', 99],
    ['100', 100],
    ['101', 100],
    ['007', 7],
    ['999999999999999', 100],
  ])('take %s for a per_page of %d', (text, perPage) => {
    expect(read(`per_page=${text}`).perPage).toBe(perPage);
  });

  it.each(['0', '-1', '1.5', '1e3', '', ' 1', '+1', 'x', '0x10', '∞', '٣', '9999999999999999'])('refuse %p', (text) => {
    for (const name of ['page', 'per_page']) {
      const query = new URLSearchParams({ [name]: text });
      expect(() => pageQuery(query)).toThrow(expect.objectContaining({ error: 'invalid_query' }));
    }
  });

  it('are whole numbers in their limits, or refused by name, whatever is sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String)), (text) => {
        try {
          const { page, perPage } = pageQuery(new URLSearchParams({ page: text, per_page: text }));
          expect(Number.isSafeInteger(page) && page >= 1 && perPage >= 1 && perPage <= 100).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
          expect((error as DomainError).details).toMatchObject([{ field: 'page', rule: 'integer' }]);
        }
      }),
    );
  });
});
