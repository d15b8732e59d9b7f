import { entryOf, FIELD_ENTRIES } from '../../admin/src/editor/fields/registry.js';
import { FIELD_KINDS, kindOf, SCALAR_KINDS } from '../../src/content-types/kinds/kinds.js';
import { compile } from '../../src/common/schema/object-validator.js';
import { aField } from '../support/content-types.js';

describe('The inputs of the console', () => {
  it('are there for every kind of field, and for no other', () => {
    expect(Object.keys(FIELD_ENTRIES).sort()).toEqual([...FIELD_KINDS].sort());
  });

  it.each(SCALAR_KINDS)('give back a value of %s as the service keeps it, and nothing for an empty text', (type) => {
    const field = aField({ name: type, type, values: ['red', 'green'] });
    const { text, read } = entryOf(type);
    const value = kindOf(type).sample(field);

    const reading = read(text(value), field);

    expect(reading).toEqual({ value: kindOf(type).normalise(value, field) });
    expect(read('', field)).toEqual({ value: null });
  });

  it.each(['string', 'email', 'url'])('take no more characters of %s than the service', (type) => {
    const field = aField({ name: type, type: type as 'string' });
    const schema = kindOf(type).schema(field);
    const longest = Number(schema.maxLength);

    const [most, more] = ['x'.repeat(longest), 'x'.repeat(longest + 1)].map((text) => entryOf(type).read(text, field));

    expect(most?.fault).toBeUndefined();
    expect(more?.fault).toBeDefined();
    expect(compile({ ...schema, format: undefined })('x'.repeat(longest + 1))).toHaveLength(1);
  });
});
