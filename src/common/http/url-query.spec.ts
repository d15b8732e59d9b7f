import fc from 'fast-check';
import { DomainError } from '../errors/domain-error.js';
import { asSent, ENTRIES, flag, queryOf, readPage, readQuery } from './url-query.js';

describe('The query of a request', () => {
  it.each([
    ['/a', []],
    ['/a?', []],
    ['/a?b', [['b', '']]],
    [
      '/a?b=1&b=2',
      [
        ['b', '1'],
        ['b', '2'],
      ],
    ],
    ['/a?q=x%20y+z', [['q', 'x y z']]],
    ['/a?q=a?b=c', [['q', 'a?b=c']]],
    ['/a?filter[title][contains]=x', [['filter[title][contains]', 'x']]],
    ['/a?q=%E0%A4%A', [['q', '\ufffd%A']]],
    ['/a?__proto__=1', [['__proto__', '1']]],
  ])('of %p is %p', (url, expected) => {
    expect([...queryOf({ url })]).toEqual(expected);
  });

  it('is read as it was written, whatever stands in it', () => {
    const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed());
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
        expect([...queryOf({ url: `/a?${new URLSearchParams(pairs).toString()}` })]).toEqual(pairs);
      }),
    );
  });

  it('is refused by the name of what is unknown or repeated', () => {
    const fault = (query: string): unknown => {
      try {
        readQuery(new URLSearchParams(query), { a: asSent });
        return null;
      } catch (error) {
        return (error as DomainError).details?.[0];
      }
    };

    expect(fault('a=1')).toBeNull();
    expect(fault('a=1&b=2')).toMatchObject({ field: 'b', rule: 'unknown' });
    expect(fault('a=1&a=1')).toMatchObject({ field: 'a', rule: 'repeated' });
    expect(fault('b=1')).toMatchObject({ message: 'Unknown query parameter: b. This address takes a.' });
    expect(fault('toString=1')).toMatchObject({ field: 'toString', rule: 'unknown' });
  });

  it('is read by the names of its parameters', () => {
    const parameters = { a: asSent, b: flag, c: ENTRIES };
    const read = (query: string) => readQuery(new URLSearchParams(query), parameters);

    expect(read('')).toEqual({ a: null, b: false, c: null });
    expect(read('a=&b=true&c=1,2&c=3')).toEqual({ a: '', b: true, c: ['1', '2', '3'] });
    expect(() => read('b=yes')).toThrow('b must be true or false.');
    expect(() => read('c=1,')).toThrow('c has an empty entry.');
  });
});

const read = (text: string) => readPage(new URLSearchParams(text));

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
      expect(() => readPage(query)).toThrow(expect.objectContaining({ error: 'invalid_query' }));
    }
  });

  it('are whole numbers in their limits, or refused by name, whatever is sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String)), (text) => {
        try {
          const { page, perPage } = readPage(new URLSearchParams({ page: text, per_page: text }));
          expect(Number.isSafeInteger(page) && page >= 1 && perPage >= 1 && perPage <= 100).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
          expect((error as DomainError).details).toMatchObject([{ field: 'page', rule: 'integer' }]);
        }
      }),
    );
  });
});
