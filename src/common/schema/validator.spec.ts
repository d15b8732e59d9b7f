import { RE2JS } from 're2js';
import { compile } from './object-validator.js';

const ITEM = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
};
const validate = compile({
  type: 'object',
  properties: {
    fields: { type: 'array', maxItems: 3, uniqueItems: true, items: ITEM },
    terms: { type: ['array', 'null'], maxItems: 2, items: { type: ['integer', 'string'] } },
    nested: { type: 'array', maxItems: 2, items: { type: 'array', maxItems: 2, items: { type: 'integer' } } },
    // Properties that are called like keywords.
    items: { type: 'integer', default: { maxItems: 1, items: {} } },
    maxItems: { type: 'integer' },
  },
});
const faults = (value: unknown) => validate(value).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);

describe('A validator of a schema', () => {
  it('names every fault of the items of a list', () => {
    expect(faults({ fields: [{}, { name: 1 }, { name: 'a', b: 2 }] })).toEqual([
      '/fields/0 required',
      '/fields/1/name type',
      '/fields/2 additionalProperties',
    ]);
    expect(faults({ fields: [{ name: 'a' }, { name: 'a' }] })).toEqual(['/fields uniqueItems']);
  });

  it('looks at no item of a list that has too many', () => {
    expect(faults({ fields: Array.from({ length: 50_000 }, () => 0), terms: [true, true, true] })).toEqual([
      '/fields maxItems',
      '/terms maxItems',
    ]);
    expect(
      faults({
        nested: [
          [1, 'a'],
          ['a', 'b', 'c'],
        ],
      }),
    ).toEqual(['/nested/0/1 type', '/nested/1 maxItems']);
  });

  it('takes what fits', () => {
    const fitting = { fields: [{ name: 'a' }], terms: null, nested: [[1, 2]], items: 1, maxItems: 2 };

    expect(faults(fitting)).toEqual([]);
    expect(faults({ items: 'a', maxItems: 'b' })).toEqual(['/items type', '/maxItems type']);
  });

  it('matches no text that is too long', () => {
    const matched = jest.spyOn(RE2JS.prototype, 'matcher');
    const named = compile({
      type: 'object',
      properties: { slug: { type: ['string', 'null'], minLength: 1, maxLength: 5, pattern: '^[a-z-]+$' } },
    });
    const keywords = (slug: unknown) => named({ slug }).map(({ keyword }) => keyword);

    expect(keywords('A'.repeat(800_000))).toEqual(['maxLength']);
    expect(matched).not.toHaveBeenCalled();
    expect(['a-b', null, 'A-B', '', 3].map(keywords)).toEqual([
      [],
      [],
      ['pattern'],
      ['minLength', 'pattern'],
      ['type'],
    ]);
    expect(matched).toHaveBeenCalledTimes(3);
  });
});
