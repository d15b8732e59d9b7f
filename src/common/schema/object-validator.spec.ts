import { TurnCounter } from '../../../test/support/turn-counter.js';
import { faultsOf } from './faults.js';
import type { ObjectSchema } from './json-schema.js';
import { ObjectValidator, compile } from './object-validator.js';

const SCHEMA: ObjectSchema = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 5, title: 'Title' },
    'odd/name': { type: ['integer', 'null'], minimum: 1 },
    one: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
    two: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
    tags: { type: 'array', maxItems: 2, items: { type: 'string' } },
  },
  required: ['title'],
  additionalProperties: false,
};

/** As many properties as a type may have, each with rules of its own. */
const wide = (): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`f${n}`, { type: 'string', maxLength: 1_000 + n }]),
  ),
  additionalProperties: false,
});

describe('A validator of objects, property by property', () => {
  it('names the field that may be meant', () => {
    const found = new ObjectValidator(SCHEMA).check({ title: 'abc', Tags: [], stranger: 1 });

    expect(faultsOf(found, new Set()).map(({ message }) => message)).toEqual([
      'Tags is not a field of this body. Did you mean tags?',
      'stranger is not a field of this body.',
    ]);
  });

  it.each([
    [{ title: 'abc', 'odd/name': 3, one: 1, two: true, tags: ['a', 'b'] }],
    [{}],
    [{ title: '', stranger: 1 }],
    [{ title: 'too long', 'odd/name': 0, one: 'a', two: 'b', tags: ['a', 2] }],
    [{ title: undefined, tags: ['a', 'b', 'c'] }],
    [JSON.parse('{ "__proto__": { "title": "abc" }, "title": null }') as object],
  ])('finds in %j what a validator of the whole schema finds', (body) => {
    const found = new ObjectValidator(SCHEMA).check(body);

    expect(faultsOf(found, new Set())).toEqual(faultsOf(compile(SCHEMA)(body), new Set()));
  });

  it.each([[null], [undefined], ['text'], [3], [[]], [[{ title: 'abc' }]]])(
    'takes %j for no object, as a validator of the whole schema does',
    async (body) => {
      const validator = new ObjectValidator(SCHEMA);
      await validator.prepare(body);

      expect(faultsOf(validator.check(body), new Set())).toEqual(faultsOf(compile(SCHEMA)(body), new Set()));
    },
  );

  it('compiles in turns, so that other work goes on meanwhile', async () => {
    const validator = new ObjectValidator(wide());
    const body = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}`, 'text']));
    const turns = new TurnCounter();

    await validator.prepare(body);

    expect(turns.stop()).toBeGreaterThanOrEqual(200);
    expect(validator.check(body)).toEqual([]);
  });

  it('compiles nothing that an object lacks, and nothing twice', async () => {
    const validator = new ObjectValidator(wide());
    await validator.prepare({ f1: 'text' });
    const again = new TurnCounter();

    await validator.prepare({ f1: 'other' });
    expect(again.stop()).toBeLessThan(2);

    const other = new TurnCounter();
    await new ObjectValidator(wide()).prepare({ f1: 'text', f2: 'text' });
    expect(other.stop()).toBeLessThan(10);
  });

  it('looks at no further property once there are more faults than are shown', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 90 }, (_, n) => [`f${n}`, { type: 'array', items: { type: 'string' } }]),
    );
    const wrong = Array.from({ length: 1_000 }, (_, n) => n);
    const body = Object.fromEntries(Object.keys(properties).map((name) => [name, wrong]));

    const errors = new ObjectValidator({ type: 'object', properties }).check(body);

    expect(errors.length).toBe(1_000);
    expect(faultsOf(errors, new Set())).toHaveLength(100);
  });
});
