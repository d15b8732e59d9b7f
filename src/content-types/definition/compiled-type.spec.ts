import { ValidationError } from '../../common/errors/domain-error.js';
import { compileType } from './compiled-type.js';
import type { RecordBody } from './content-type.js';
import type { Field } from '../kinds/field.js';
import { aField, aType } from '../../../test/support/content-types.js';

const ALL_KINDS: readonly Field[] = [
  aField({ name: 'subtitle', type: 'string', max_length: 5 }),
  aField({ name: 'code', type: 'string', pattern: '^[A-Z]+$' }),
  aField({ name: 'notes', type: 'markdown' }),
  aField({ name: 'rating', type: 'integer', min: 1, max: 5 }),
  aField({ name: 'price', type: 'number', min: 0 }),
  aField({ name: 'hot', type: 'boolean', default: false }),
  aField({ name: 'day', type: 'date', min: '2024-01-01' }),
  aField({ name: 'starts_at', type: 'datetime', max: '2030-01-01T00:00:00.000Z' }),
  aField({ name: 'mail', type: 'email' }),
  aField({ name: 'mails', type: 'list', of: 'email' }),
  aField({ name: 'link', type: 'url' }),
  aField({ name: 'colour', type: 'enum', values: ['red', 'green'] }),
  aField({ name: 'extra', type: 'json' }),
  aField({ name: 'tags', type: 'list', of: 'string', max_length: 3 }),
  aField({ name: 'times', type: 'list', of: 'datetime' }),
  aField({ name: 'author', type: 'relation', to: ['person'] }),
  aField({ name: 'about', type: 'relation', to: ['person', 'post'], many: true }),
];

const type = compileType(aType({ fields: ALL_KINDS }));

function faultsOf(work: () => RecordBody): unknown[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ValidationError) return error.faults.map(({ field, rule }) => `${field}: ${rule}`);
    throw error;
  }
  return [];
}

const created = (fields: RecordBody): RecordBody => type.requireCreate({ title: 'A title', ...fields });

describe('A body that is to become a record', () => {
  it('needs a title only, and gets the defaults', () => {
    expect(type.requireCreate({ title: ' Hello ' })).toEqual({
      title: 'Hello',
      status: 'draft',
      locale: 'en',
      hot: false,
    });
  });

  it.each([[null], [[]], ['text'], [3], [undefined]])('must be an object, not %j', (body) => {
    expect(faultsOf(() => type.requireCreate(body))).toEqual([': type']);
  });

  it.each([
    ['rating', 0, 'min'],
    ['rating', 6, 'max'],
    ['rating', 1.5, 'type'],
    ['rating', '3', 'type'],
    ['price', -0.01, 'min'],
    ['subtitle', '123456', 'max_length'],
    ['code', 'abc', 'pattern'],
    ['hot', 'yes', 'type'],
    ['day', '2024-02-30', 'format'],
    ['day', '2023-12-31', 'min'],
    ['starts_at', '2024-02-29T12:00:00', 'format'],
    ['starts_at', '2031-01-01T00:00:00Z', 'max'],
    ['mail', 'nobody', 'format'],
    ['mail', 'jürgen@example.org', 'format'],
    ['mail', 'ann@example.c', 'format'],
    ['mail', 'ann@127.0.0.1', 'format'],
    ['mail', `${'a'.repeat(65)}@example.org`, 'format'],
    ['mail', `ann@${'a'.repeat(64)}.org`, 'format'],
    ['mails', ['ann@example.org', 'bob'], 'format', 'mails.1'],
    ['link', 'javascript:alert(1)', 'format'],
    ['link', '/relative', 'format'],
    ['colour', 'blue', 'enum'],
    ['tags', ['a', 'b', 'c', 'd'], 'max_length'],
    ['author', 'ana', 'type'],
    ['author', 0, 'type'],
    ['author', { id: 1, type: 'post' }, 'type'],
    ['slug', 'Not a slug', 'pattern'],
    ['slug', '..', 'pattern'],
    ['status', 'gone', 'enum'],
    ['locale', 'english', 'pattern'],
    ['published_at', 'yesterday', 'format'],
    ['title', '  ', 'required'],
    ['title', null, 'required'],
    ['title', 'x'.repeat(256), 'max_length'],
    ['nothing', 1, 'unknown'],
    ['version', 1, 'read_only'],
  ])('refuses %s: %j (%s)', (field, value, rule, at = field) => {
    expect(faultsOf(() => created({ [field]: value }))).toEqual([`${at}: ${rule}`]);
  });

  it('names the item of a list that does not fit', () => {
    expect(faultsOf(() => created({ tags: ['a', 2], about: [{ id: 1, type: 'cat' }] }))).toEqual([
      'tags.1: type',
      'about.0.type: enum',
    ]);
  });

  it('reports all faults at once, in sentences', () => {
    const work = (): RecordBody => type.requireCreate({ rating: 9, colour: 'blue' });

    expect(faultsOf(work)).toEqual(['title: required', 'rating: max', 'colour: enum']);
    expect(work).toThrow('title is required. rating must be 5 or less. colour must be one of: red, green.');
  });

  it('reports a hundred faults at most, however long a list is', () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x${at}`, 1]));

    expect(faultsOf(() => created({ ...body, tags: Array<number>(200_000).fill(1) }))).toHaveLength(100);
  });

  it('keeps values in one form', () => {
    const body = created({
      starts_at: '2024-02-29T12:00:00+02:00',
      published_at: '2024-02-29t12:00Z',
      times: ['2024-01-01T00:00:00.5Z'],
      day: '2024-02-29',
      mail: ' Anna@Müller.Example\r\n',
      mails: ['bob@EXAMPLE.org', 'anna@xn--mller-kva.example'],
      author: 17,
      about: [
        { id: 1, type: 'post' },
        { id: 1, type: 'post' },
        { id: 1, type: 'person' },
      ],
      price: -0,
      notes: null,
    });

    expect(body).toMatchObject({
      starts_at: '2024-02-29T10:00:00.000Z',
      published_at: '2024-02-29T12:00:00.000Z',
      times: ['2024-01-01T00:00:00.500Z'],
      day: '2024-02-29',
      mail: 'Anna@xn--mller-kva.example',
      mails: ['bob@example.org', 'anna@xn--mller-kva.example'],
      author: { id: 17, type: 'person' },
      about: [
        { id: 1, type: 'post' },
        { id: 1, type: 'person' },
      ],
      price: 0,
    });
    expect(body).not.toHaveProperty('notes');
  });

  it('may use letters of any script in a slug', () => {
    expect(created({ slug: 'čas-práce_2.0' }).slug).toBe('čas-práce_2.0');
  });

  it('does not hang on a pattern that would take other engines for ever', () => {
    const evil = compileType(aType({ fields: [aField({ name: 'code', type: 'text', pattern: '^(a+)+$' })] }));

    expect(faultsOf(() => evil.requireCreate({ title: 'x', code: `${'a'.repeat(50_000)}!` }))).toEqual([
      'code: pattern',
    ]);
  });
});

const PUBLISHED = { status: 'published' } as const;

describe('A body that is to change a record', () => {
  const strict = compileType(
    aType({
      fields: [
        aField({ name: 'rating', type: 'integer', required: true }),
        aField({ name: 'hint', type: 'string', default: 'x' }),
      ],
    }),
  );

  it('names only what changes, and gets no defaults', () => {
    expect(strict.requireUpdate({ hint: 'y' }, PUBLISHED)).toEqual({ hint: 'y' });
    expect(strict.requireUpdate({}, PUBLISHED)).toEqual({});
  });

  it('clears with null what is not required', () => {
    expect(strict.requireUpdate({ hint: null, body: null, published_at: null }, PUBLISHED)).toEqual({
      hint: null,
      body: null,
      published_at: null,
    });
    expect(faultsOf(() => strict.requireUpdate({ rating: null, title: null, status: null }, PUBLISHED))).toEqual([
      'title: required',
      'status: required',
      'rating: required',
    ]);
  });

  it('asks for required fields only when the record is new and public', () => {
    expect(faultsOf(() => strict.requireCreate({ title: 'x', status: 'published' }))).toEqual(['rating: required']);
    expect(strict.requireCreate({ title: 'x' })).toMatchObject({ title: 'x', status: 'draft' });
  });
});
