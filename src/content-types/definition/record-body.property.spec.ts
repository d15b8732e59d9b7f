import fc from 'fast-check';
import { aField, aType } from '../../../test/support/content-types.js';
import { ValidationError } from '../../common/errors/domain-error.js';
import { hasControls } from '../../common/schema/formats.js';
import { compileType } from './compiled-type.js';
import type { RecordBody } from './content-type.js';
import { indexRows } from './field-index.js';

const FIELDS = [
  aField({ name: 'text', type: 'string', max_length: 20, indexed: true }),
  aField({ name: 'count', type: 'integer', indexed: true }),
  aField({ name: 'price', type: 'number', indexed: true, unique: true }),
  aField({ name: 'hot', type: 'boolean', indexed: true }),
  aField({ name: 'day', type: 'date', indexed: true }),
  aField({ name: 'at', type: 'datetime', indexed: true }),
  aField({ name: 'mail', type: 'email', indexed: true }),
  aField({ name: 'link', type: 'url', indexed: true }),
  aField({ name: 'colour', type: 'enum', values: ['red', 'green'], indexed: true }),
  aField({ name: 'extra', type: 'json' }),
  aField({ name: 'tags', type: 'list', of: 'string', max_length: 5, indexed: true }),
  aField({ name: 'who', type: 'relation', to: ['person'] }),
  aField({ name: 'about', type: 'relation', to: ['person', 'post'], many: true }),
];
const NAMES = ['title', 'slug', 'body', 'status', 'locale', 'published_at', ...FIELDS.map(({ name }) => name)];

const type = compileType(aType({ fields: FIELDS }));

const anInstant = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const anId = fc.integer({ min: 1 });
const aReference = fc.record({ id: anId, type: fc.constantFrom('person', 'post') });

const validBody = fc.record(
  {
    title: fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .filter((text) => !hasControls(text))
      .map((text) => `x${text}`),
    status: fc.constantFrom('draft', 'published', 'archived'),
    published_at: anInstant,
    text: fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !hasControls(text)),
    count: fc.maxSafeInteger(),
    price: fc.double({ noNaN: true, noDefaultInfinity: true }),
    hot: fc.boolean(),
    day: anInstant.map((text) => text.slice(0, 10)),
    at: anInstant,
    mail: fc.emailAddress({ size: '-1' }).filter((text) => text.length < 200),
    link: fc.webUrl(),
    colour: fc.constantFrom('red', 'green'),
    // As it comes back out of JSON, which writes -0 as 0.
    extra: fc
      .jsonValue({ maxDepth: 5 })
      .filter((value) => value !== null)
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown),
    tags: fc.array(fc.string({ maxLength: 9 }), { maxLength: 5 }),
    who: fc.oneof(anId, fc.record({ id: anId }), fc.record({ id: anId, type: fc.constant('person') })),
    about: fc.array(aReference, { maxLength: 9 }),
  },
  { requiredKeys: ['title'] },
);

/** The answer of the check, or `null` where it refuses. Anything else that is thrown fails the test. */
function checked(check: (body: unknown) => RecordBody, body: unknown): RecordBody | null {
  try {
    return check(body);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    expect(error.faults.length).toBeGreaterThan(0);
    for (const fault of error.faults) expect(fault.message.length).toBeGreaterThan(0);
    return null;
  }
}

describe('The check of record bodies', () => {
  it('takes every valid body, and takes its own result again without changing it', () => {
    fc.assert(
      fc.property(validBody, (body) => {
        const once = type.requireCreate(body);

        expect(type.requireCreate(once)).toEqual(once);
        expect(JSON.parse(JSON.stringify(once))).toEqual(once);
      }),
    );
  });

  it('answers junk with faults and with nothing else', () => {
    const junk = fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...NAMES), fc.anything()));

    fc.assert(
      fc.property(junk, (body) => {
        checked((value) => type.requireCreate(value), body);
        checked((value) => type.requireUpdate(value, { status: 'draft' }), body);
      }),
      { numRuns: 500 },
    );
  });

  it('lets nothing through that the side index cannot hold', () => {
    const body = fc.dictionary(
      fc.constantFrom(...NAMES),
      fc.oneof(fc.jsonValue(), anInstant, anId, fc.array(aReference)),
    );

    fc.assert(
      fc.property(fc.oneof(body, validBody), (values) => {
        const record = checked((value) => type.requireUpdate(value, { status: 'draft' }), values) ?? {};

        for (const { num, str } of FIELDS.flatMap((field) => indexRows(field, record[field.name]))) {
          expect(num === null || Number.isFinite(num)).toBe(true);
          expect(str === null || str.length <= 2 * 191).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
