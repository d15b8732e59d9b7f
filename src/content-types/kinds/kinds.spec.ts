import { aField, aType } from '../../../test/support/content-types.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import { compile } from '../../common/schema/object-validator.js';
import { compileType } from '../definition/compiled-type.js';
import type { Field } from './field.js';
import { FIELD_KINDS, isCompatibleKind, kindOf, SCALAR_KINDS } from './kinds.js';

/** A field of each kind, with what the kind cannot do without. */
const FIELDS: readonly Field[] = [
  ...FIELD_KINDS.map((type) =>
    aField({ name: type, type, of: 'string', values: ['red', 'green'], to: ['post'], indexed: true }),
  ),
  ...SCALAR_KINDS.map((of) => aField({ name: `list of ${of}`, type: 'list', of, values: ['red'], indexed: true })),
];
const CASES = FIELDS.map((field) => [field.name, field] as const);

const INDEXED = CASES.filter(([, field]) => kindOf(field.type).takes('indexed', field));

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** A value of the field as it is kept. */
function kept(field: Field): unknown {
  const kind = kindOf(field.type);
  return kind.normalise(kind.sample(field), field);
}

describe('A kind of field', () => {
  it.each(CASES)('shows a %s in the documentation that it takes itself', (_, field) => {
    const kind = kindOf(field.type);

    expect(kind.sample(field)).toBeDefined();
    expect(compile(kind.schema(field))(kind.sample(field))).toEqual([]);
  });

  it.each(CASES)('keeps a %s in a form that fits and does not change again', (_, field) => {
    const kind = kindOf(field.type);

    expect(compile(kind.schema(field))(kept(field))).toEqual([]);
    expect(compile(kind.answerSchema(field))(kept(field))).toEqual([]);
    expect(kind.normalise(kept(field), field)).toEqual(kept(field));
  });

  it.each(INDEXED)('holds a %s in the column of the side index that filters look into', (_, field) => {
    const { column, key } = kindOf(field.type).comparison(field);

    for (const item of itemsOf(kept(field))) expect(typeof key(item)).toBe(column === 'num' ? 'number' : 'string');
  });

  it.each(CASES)('reads a %s from the cell that an export has for it', (_, field) => {
    const kind = kindOf(field.type);
    const isSeveral = kind.maxItems(field) !== undefined;
    const read = (isSeveral ? itemsOf(kept(field)) : [kept(field)]).map((item) =>
      kind.fromCell(String(kind.toCell(item, field)), field),
    );

    expect(kind.normalise(isSeveral ? read : read[0], field)).toEqual(kept(field));
  });

  it.each([
    ['1,50', 1.5],
    ['-0,1234', -0.1234],
    ['1,500', '1,500'],
    ['007', 7],
    ['9007199254740993', Infinity],
    ['1,2,3', '1,2,3'],
  ])(
    'reads the number of the cell %j, unless its comma may stand between thousands or its digits do not fit',
    (cell, value) => {
      expect(kindOf('number').fromCell(cell, {})).toBe(value);
    },
  );

  it.each(FIELD_KINDS)('%s fits into kinds that there are, and into itself', (name) => {
    expect(FIELD_KINDS).toEqual(expect.arrayContaining([...kindOf(name).fitsInto]));
    expect(isCompatibleKind(name, name)).toBe(true);
  });

  it('has values that are read and kept, and none that can be written, where only a later release knows it', () => {
    const field = { ...aField({ name: 'later', type: 'string', indexed: true }), type: 'later' as Field['type'] };
    const type = compileType(aType({ fields: [field] }));

    expect(kindOf('later').comparison(field).column).toBe('str');
    expect(kindOf('later').searchTexts('some text')).toEqual([{ text: 'some text', isMarked: false }]);
    expect(() => type.requireCreate({ title: 'A record', later: 'x' })).toThrow('later release');
    expect(() => type.requireCreate({ title: 'A record', later: 'x' })).not.toThrow(ValidationError);
  });

  it.each(['constructor', '__proto__', 'toString'])('is not what %s means elsewhere', (name) => {
    expect(kindOf(name)).toBe(kindOf('later'));
  });
});
