import fc from 'fast-check';
import { DomainError } from '../../common/errors/domain-error.js';
import { compileType } from '../../content-types/definition/compiled-type.js';
import type { Field } from '../../content-types/kinds/field.js';
import { browseQuery } from './browse-query.js';
import { writeCursor } from '../../common/envelope.js';

const field = (name: string, options: Partial<Field>): Field => ({
  key: 7,
  id: 'f_7',
  name,
  type: 'integer',
  label: name,
  required: false,
  unique: false,
  indexed: true,
  searchable: false,
  ...options,
});

const book = compileType({
  id: 3,
  name: 'book',
  label: 'Book',
  label_plural: 'Books',
  description: '',
  taxonomies: [],
  url_path: '/book/{slug}',
  sitemap: true,
  body: 'markdown',
  revisions: { keep: 100 },
  fields: [
    field('rating', {}),
    field('notes', { type: 'text', indexed: false }),
    field('colour', { type: 'enum', values: ['red'], retired: ['blue'] }),
  ],
  version: 1,
  created_at: 0,
  updated_at: 0,
});

const query = (text: string) => browseQuery(book, new URLSearchParams(text));

describe('browseQuery', () => {
  it.each([
    ['limit=5', 'Unknown query parameter: limit. This address takes page, per_page, status, sort, '],
    ['perpage=5', 'Unknown query parameter: perpage. Did you mean per_page?'],
    ['filter[notes]=x', 'notes is not indexed. Set "indexed": true on this field of book.'],
    ['filter[nope]=x', 'book has no field nope.'],
    ['sort=ratign', 'book has no field ratign. Did you mean rating?'],
    ['filter[status]=publish', 'status is never "publish". Use draft, published, archived.'],
    ['filter[colour]=purple', 'colour is never "purple". Use red, blue.'],
    ['sort=body', 'Lists are neither filtered nor sorted by body.'],
    ['sort=title:desc', 'Write sort=-title: a - before a name turns it around.'],
  ])('says of %s what to do', (text, message) => {
    expect(() => query(text)).toThrow(message);
  });

  it('asks for the first fifteen, the newest first, when nothing is said', () => {
    const { page, perPage, sort, statuses, isCounted } = query('');

    expect({ page, perPage, statuses, isCounted }).toEqual({
      page: 1,
      perPage: 15,
      statuses: ['draft', 'published', 'archived'],
      isCounted: true,
    });
    expect(sort.map(({ property, isDescending }) => [property.name, isDescending])).toEqual([
      ['created_at', true],
      ['id', true],
    ]);
  });

  it('breaks ties by the id, in the direction of the last key', () => {
    expect(query('sort=-rating,title').sort.map(({ property, isDescending }) => [property.name, isDescending])).toEqual(
      [
        ['rating', true],
        ['title', false],
        ['id', false],
      ],
    );
  });

  it('reads filters of several operators on one field', () => {
    const { filters } = query('filter[rating][gte]=2&filter[rating][in]=2,3');

    expect(filters.map(({ op, values }) => [op, values])).toEqual([
      ['gte', [2]],
      ['in', [2, 3]],
    ]);
  });

  it('takes several values with commas between them, or each as a parameter of its own', () => {
    const repeated = query('status=draft&status=archived&sort=-rating&sort=title&fields=id&fields=title,slug');
    const joined = query('status=draft,archived&sort=-rating,title&fields=id,title,slug');

    expect(repeated).toEqual(joined);
    expect(repeated.statuses).toEqual(['draft', 'archived']);
  });

  it('knows lists by the order of their keys, not by the way in which those are sent', () => {
    const { fingerprint } = query('sort=rating&sort=title');

    expect(query('sort=rating,title').fingerprint).toBe(fingerprint);
    expect(query('sort=title&sort=rating').fingerprint).not.toBe(fingerprint);
  });

  it.each(['page=1&page=2', 'count=none&count=none', 'filter[title]=a&filter[title]=b'])(
    'refuses %s, which has place for one value',
    (text) => {
      expect(() => query(text)).toThrow('is sent more than once');
    },
  );

  it.each([
    ['a,b', ['a', 'b']],
    ['a\\,b,c', ['a,b', 'c']],
    ['a\\\\,b', ['a\\', 'b']],
    ['a\\b', ['a\\b']],
    ['a\\,', ['a,']],
    ['a,,b\\', ['a', '', 'b\\']],
    ['', ['']],
  ])('reads %j as %j where an operator takes several values', (text, values) => {
    expect(query(`filter[title][in]=${encodeURIComponent(text)}`).filters[0]?.values).toEqual(values);
  });

  it('reads back any values whose commas and backslashes have a backslash before them', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a,\\]*$/), { minLength: 1, maxLength: 9 }), (values) => {
        const text = values.map((value) => value.replace(/[\\,]/g, '\\$&')).join(',');

        expect(query(`filter[title][in]=${encodeURIComponent(text)}`).filters[0]?.values).toEqual(values);
      }),
    );
  });

  it('reads back the cursor of the same list', () => {
    const { fingerprint } = query('sort=rating');
    const cursor = { page: 4, after: [5, 900, 17] };

    expect(query(`sort=rating&per_page=3&cursor=${writeCursor(cursor, fingerprint)}`).cursor).toEqual(cursor);
  });

  it('answers any query at all with a list request or with a refusal of the client', () => {
    const name = fc.oneof(
      fc.constantFrom(
        'page',
        'per_page',
        'status',
        'sort',
        'fields',
        'expand',
        'cursor',
        'count',
        'filter[rating]',
        'filter[rating][gte]',
        'filter[title][starts]',
        'filter[__proto__]',
        'filter[constructor][eq]',
      ),
      fc.string(),
    );
    const value = fc.oneof(
      fc.constantFrom('1', '-1', 'title', '-rating', 'published', 'none', '1e400', 'NaN'),
      fc.string({ unit: 'binary' }),
    );

    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (pairs) => {
        try {
          const { perPage, page } = browseQuery(book, new URLSearchParams(pairs));
          expect(perPage).toBeGreaterThanOrEqual(1);
          expect(perPage).toBeLessThanOrEqual(100);
          expect(page).toBeGreaterThanOrEqual(1);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
          expect((error as DomainError).error).toMatch(/^invalid_(query|cursor)$/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
