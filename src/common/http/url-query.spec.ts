import fc from 'fast-check';
import type { DomainError } from '../errors/domain-error.js';
import { queryOf, requireKnown } from './url-query.js';

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
    const known = ['a'];
    const fault = (query: string): unknown => {
      try {
        requireKnown(new URLSearchParams(query), known);
        return null;
      } catch (error) {
        return (error as DomainError).details?.[0];
      }
    };

    expect(fault('a=1')).toBeNull();
    expect(fault('a=1&b=2')).toMatchObject({ field: 'b', rule: 'unknown' });
    expect(fault('a=1&a=1')).toMatchObject({ field: 'a', rule: 'repeated' });
    expect(() => {
      requireKnown(new URLSearchParams('a=1&a=1'), known, new Set(['a']));
    }).not.toThrow();
    expect(fault('b=1')).toMatchObject({ message: 'Unknown query parameter: b. This address takes a.' });
    expect(fault('toString=1')).toMatchObject({ field: 'toString', rule: 'unknown' });
  });
});
