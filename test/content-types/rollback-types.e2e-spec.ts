import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface FieldInput {
  readonly name: string;
  readonly type: string;
  readonly id?: string;
  readonly [rule: string]: unknown;
}

describe('A rollback across a change of the type', () => {
  let service: TestApp;
  let types = 0;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    await service.http().post('/api/admin/types').send({ name: 'person' }).expect(201);
  });
  afterAll(() => service.close());

  /** A type of its own with these fields, and what can be done to it. */
  async function typeWith(fields: readonly FieldInput[], taxonomies: string[] = []) {
    types += 1;
    const name = `thing-${types}`;
    const made = await service.http().post('/api/admin/types').send({ name, fields, taxonomies });
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    const things = new Historian(service, name);
    return {
      things,
      /** The fields as they are, by name. */
      fields: new Map<string, FieldInput>(made.body.data.fields.map((field: FieldInput) => [field.name, field])),
      change: async (body: object) => {
        const changed = await service.http().put(`/api/admin/types/${name}?confirm=${name}`).send(body);
        expect([changed.status, changed.text]).toEqual([200, expect.anything()]);
      },
      /** Brings the first revision back. */
      rollBack: async (id: number, body: object = {}) => {
        const [first] = await things.times(id);
        const answer = await things.post(`${id}/rollback/${first ?? 0}`, body);
        expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
        const { data, meta } = answer.body;
        return { data, restored: meta.rollback.restored, kept: meta.rollback.kept, skipped: meta.rollback.skipped };
      },
    };
  }

  it('brings a renamed field back under its new name, also when it is named by the old one', async () => {
    const { things, fields, change, rollBack } = await typeWith([{ name: 'length', type: 'integer' }]);
    const id = await things.create({ title: 'x', length: 10 });
    await things.update(id, { length: 20 });
    await change({ fields: [{ ...fields.get('length'), name: 'minutes' }] });

    expect(await rollBack(id)).toMatchObject({ data: { minutes: 10 }, restored: ['minutes'], kept: [], skipped: [] });
    await things.update(id, { minutes: 30 });
    expect(await rollBack(id, { fields: ['length'] })).toMatchObject({ data: { minutes: 10 } });
  });

  it('takes no field for another one that has got its name', async () => {
    const { things, fields, change, rollBack } = await typeWith([
      { name: 'first', type: 'string' },
      { name: 'second', type: 'string' },
    ]);
    const id = await things.create({ title: 'x', first: 'a', second: 'b' });
    await things.update(id, { first: 'c', second: 'd' });
    await change({
      fields: [
        { ...fields.get('first'), name: 'second' },
        { ...fields.get('second'), name: 'first' },
      ],
    });

    expect(await rollBack(id, { fields: ['second'] })).toMatchObject({ data: { second: 'a', first: 'd' } });
  });

  it('passes over a field that is gone, and says so', async () => {
    const { things, change, rollBack } = await typeWith([{ name: 'colour', type: 'string' }]);
    const id = await things.create({ title: 'Old', colour: 'red' });
    await things.update(id, { title: 'New', colour: 'blue' });
    await change({ fields: [] });

    const { data, skipped, restored } = await rollBack(id);

    expect(data).not.toHaveProperty('colour');
    expect({ skipped, restored }).toEqual({
      skipped: [{ field: 'colour', reason: 'field_removed' }],
      restored: ['title'],
    });
  });

  it('leaves what is in a field that did not exist then', async () => {
    const { things, change, rollBack } = await typeWith([]);
    const id = await things.create({ title: 'Old' });
    await change({ fields: [{ name: 'rating', type: 'integer' }] });
    await things.update(id, { title: 'New', rating: 5 });

    expect(await rollBack(id)).toMatchObject({
      data: { title: 'Old', rating: 5 },
      kept: [{ field: 'rating', reason: 'did_not_exist' }],
    });
  });

  it('clears what had no value', async () => {
    const { things, rollBack } = await typeWith([{ name: 'rating', type: 'integer' }]);
    const id = await things.create({ title: 'x' });
    await things.update(id, { rating: 5 });

    expect(await rollBack(id)).toMatchObject({ data: { rating: null }, restored: ['rating'] });
  });

  it('of what is public keeps the present value of a field that is required by now, or else gives the default, or else refuses', async () => {
    const { things, fields, change, rollBack } = await typeWith([
      { name: 'colour', type: 'string' },
      { name: 'size', type: 'string' },
    ]);
    const id = await things.create({ title: 'Old', status: 'published' });
    await things.update(id, { title: 'New', colour: 'blue' });
    const require = (size: object) =>
      change({
        fields: [
          { ...fields.get('colour'), required: true },
          { ...fields.get('size'), required: true, ...size },
        ],
      });

    await require({});
    const [first] = await things.times(id);
    const refused = await things.post(`${id}/rollback/${first ?? 0}`);
    expectError(refused, 'validation_failed');
    expect(refused.body.details).toEqual([{ field: 'size', rule: 'required', message: expect.any(String) }]);
    expect((await things.get(id)).body.data.title).toBe('New');

    await require({ default: 'm' });
    expect(await rollBack(id)).toMatchObject({
      data: { title: 'Old', colour: 'blue', size: 'm' },
      kept: [{ field: 'colour', reason: 'required' }],
      restored: ['title', 'size'],
    });
  });

  it('keeps the present value of a field that the old one does not fit any more', async () => {
    const { things, fields, change, rollBack } = await typeWith([
      { name: 'rating', type: 'integer' },
      { name: 'size', type: 'enum', values: ['s', 'm', 'l'] },
      { name: 'note', type: 'string' },
    ]);
    const id = await things.create({ title: 'Old', rating: 9, size: 'l', note: 'kept' });
    await things.update(id, { title: 'New', rating: 4, size: 's', note: 'other' });
    await change({
      fields: [{ ...fields.get('rating'), max: 5 }, { ...fields.get('size'), values: ['s', 'm'] }, fields.get('note')],
    });

    expect(await rollBack(id)).toMatchObject({
      data: { title: 'Old', rating: 4, size: 's', note: 'kept' },
      kept: [
        { field: 'rating', reason: 'no_longer_valid' },
        { field: 'size', reason: 'no_longer_valid' },
      ],
      restored: ['title', 'note'],
    });
  });

  it('keeps the present value of a unique field where another record has the old one', async () => {
    const { things, rollBack } = await typeWith([
      { name: 'code', type: 'string', unique: true },
      { name: 'isbn', type: 'string', unique: true },
    ]);
    const id = await things.create({ title: 'Old', code: 'a', isbn: '1' });
    await things.update(id, { title: 'New', code: 'b', isbn: '2' });
    await things.create({ title: 'Other', code: 'a' });

    expect(await rollBack(id)).toMatchObject({
      data: { title: 'Old', code: 'b', isbn: '1' },
      kept: [{ field: 'code', reason: 'value_taken' }],
    });
  });

  it('leaves out records that are gone', async () => {
    const people = new Historian(service, 'person');
    const [ana, ben] = [await people.create({ title: 'Ana' }), await people.create({ title: 'Ben' })];
    const { things, rollBack } = await typeWith([
      { name: 'author', type: 'relation', to: ['person'] },
      { name: 'readers', type: 'relation', to: ['person'], many: true },
    ]);
    const id = await things.create({ title: 'x', author: ana, readers: [ana, ben] });
    await things.update(id, { author: ben, readers: [] });
    await service.http().delete(`/api/cms/person/${ana}`).expect(204);

    expect(await rollBack(id)).toMatchObject({
      data: { author: null, readers: [{ id: ben, type: 'person' }] },
      skipped: [
        { field: 'author', reason: 'target_gone', value: { id: ana, type: 'person' } },
        { field: 'readers', reason: 'target_gone', value: { id: ana, type: 'person' } },
      ],
    });
  });

  it('brings nothing back where only records that are gone were different', async () => {
    const people = new Historian(service, 'person');
    const [ana, ben] = [await people.create({ title: 'Ana' }), await people.create({ title: 'Ben' })];
    const { things, rollBack } = await typeWith([
      { name: 'author', type: 'relation', to: ['person'] },
      { name: 'readers', type: 'relation', to: ['person'], many: true },
      { name: 'friends', type: 'relation', to: ['person'], many: true },
    ]);
    const id = await things.create({ title: 'x', author: ana, readers: [ana, ben], friends: [ana] });
    await things.update(id, { author: null, readers: [ben], friends: [] });
    await service.http().delete(`/api/cms/person/${ana}`).expect(204);

    expect(await rollBack(id)).toMatchObject({ data: { version: 2 }, restored: [] });
  });

  it('passes over a taxonomy that the type has lost', async () => {
    const { things, change, rollBack } = await typeWith([], ['tag']);
    const id = await things.create({ title: 'Old', terms: { tag: ['red'] } });
    await things.update(id, { title: 'New', terms: { tag: [] } });
    await change({ taxonomies: [] });

    expect(await rollBack(id)).toMatchObject({
      restored: ['title'],
      skipped: [{ field: 'tag', reason: 'taxonomy_removed' }],
    });
  });

  it('finds terms where they were merged, makes deleted tags again, and passes over other terms that are gone', async () => {
    const term = async (type: string, name: string): Promise<number> => {
      const answer = await service.http().post('/api/cms/taxonomy').send({ type, name });
      expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
      return answer.body.data.id;
    };
    const { things, rollBack } = await typeWith([], ['tag', 'category']);
    const [lost, merged, into] = [await term('tag', 'Lost'), await term('tag', 'Merged'), await term('tag', 'Into')];
    const category = await term('category', 'Closed');
    const id = await things.create({ title: 'x', terms: { tag: [lost, merged], category: [category] } });
    await things.update(id, { terms: { tag: [], category: [] } });
    await service.http().post(`/api/cms/taxonomy/tag/${merged}/merge`).send({ into }).expect(200);
    await service.http().delete(`/api/cms/taxonomy/tag/${lost}`).expect(204);
    await service.http().delete(`/api/cms/taxonomy/category/${category}`).expect(204);

    const { data, skipped } = await rollBack(id);

    expect(data.terms.tag.map(({ name }: { name: string }) => name)).toEqual(['Lost', 'Into']);
    expect(data.terms.category).toEqual([]);
    expect(skipped).toEqual([{ field: 'category', reason: 'term_gone', value: 'closed' }]);
  });
});
