import type { Response } from 'supertest';
import { copyRequests } from '../support/copy-requests.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { faultsOf, typeRequests } from '../support/type-requests.js';

describe('Changes of content types', () => {
  let service: TestApp;
  const { aTypeWith, aRecord } = typeRequests(() => service);
  const { save } = copyRequests(() => service);

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const fieldsOf = async (type: string): Promise<Record<string, unknown>[]> =>
    (await service.http().get(`/api/admin/types/${type}`)).body.data.fields;

  const change = (type: string, body: object, query = ''): Promise<Response> =>
    service.http().put(`/api/admin/types/${type}${query}`).send(body);

  describe('PUT /api/admin/types/{name}', () => {
    it('changes what is sent and keeps the rest', async () => {
      const type = await aTypeWith([{ name: 'a', type: 'string' }]);

      const { status, body, headers } = await change(type, { label: 'Thing', revisions: { keep: 5 } });

      expect([status, headers.etag]).toEqual([200, '"2"']);
      expect(body.data).toMatchObject({ name: type, label: 'Thing', revisions: { keep: 5 }, version: 2 });
      expect(body.data.fields).toHaveLength(1);
    });

    it('writes nothing when nothing changes, also when it gets back what it answered', async () => {
      const type = await aTypeWith([{ name: 'a', type: 'enum', values: ['x'], default: 'x', indexed: true }]);
      const { body } = await service.http().get(`/api/admin/types/${type}`);
      const { version: _version, created_at: _created, updated_at: _updated, ...definition } = body.data;

      const again = await change(type, definition);

      expect([again.status, again.body.data.version]).toEqual([200, 1]);
    });

    it('keeps the values of a field that is renamed, and lets two swap their names', async () => {
      const type = await aTypeWith([
        { name: 'a', type: 'string' },
        { name: 'b', type: 'string' },
      ]);
      const id = await aRecord(type, { a: '1', b: '2' });
      const [a, b] = await fieldsOf(type);

      const { status } = await change(type, {
        fields: [
          { ...b, name: 'a' },
          { ...a, name: 'b' },
        ],
      });

      expect(status).toBe(200);
      expect((await service.http().get(`/api/cms/${type}/${id}`)).body.data).toMatchObject({ a: '2', b: '1' });
    });

    it('cannot rename the type', async () => {
      const type = await aTypeWith([]);

      expect(faultsOf(await change(type, { name: 'other' }))).toEqual(['name: read_only']);
      expect((await change(type, { name: type })).status).toBe(200);
    });

    it('answers 412 when the type has changed since', async () => {
      const type = await aTypeWith([]);
      const write = (etag: string) =>
        service
          .http()
          .put(`/api/admin/types/${type}`)
          .set('If-Match', etag)
          .send({ label: `After ${etag}` });

      expect((await write('"1"')).status).toBe(200);
      const { status, body, headers } = await write('"1"');

      expect([status, body.error, headers.etag]).toEqual([412, 'version_conflict', '"2"']);
      expect(body.details).toEqual([{ version: 2 }]);
    });

    it('loses none of many changes made together', async () => {
      const type = await aTypeWith([]);

      const answers = await Promise.all([
        change(type, { label: 'L' }),
        change(type, { description: 'D' }),
        change(type, { sitemap: false }),
        change(type, { body: 'html' }),
        change(type, { label_plural: 'P' }),
        change(type, { revisions: { keep: 7 } }),
      ]);

      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect((await service.http().get(`/api/admin/types/${type}`)).body.data).toMatchObject({
        label: 'L',
        description: 'D',
        sitemap: false,
        body: 'html',
        label_plural: 'P',
        revisions: { keep: 7 },
        version: 7,
      });
    });

    it.each([
      ['removing a field', { name: 'a', type: 'integer' }, 3, [], 'removed'],
      ['a lower maximum', { name: 'a', type: 'integer' }, 3, [{ name: 'a', type: 'integer', max: 2 }], 'narrowed'],
      [
        'a shorter text',
        { name: 'a', type: 'string' },
        'abc',
        [{ name: 'a', type: 'string', max_length: 2 }],
        'narrowed',
      ],
      ['a pattern', { name: 'a', type: 'string' }, 'abc', [{ name: 'a', type: 'string', pattern: '^x' }], 'narrowed'],
      [
        'taking a choice away',
        { name: 'a', type: 'enum', values: ['x', 'y'] },
        'x',
        [{ name: 'a', type: 'enum', values: ['y'] }],
        'narrowed',
      ],
      [
        'becoming required',
        { name: 'a', type: 'integer' },
        undefined,
        [{ name: 'a', type: 'integer', required: true }],
        'required',
      ],
      [
        'a new required field',
        { name: 'a', type: 'integer' },
        undefined,
        [{ name: 'b', type: 'integer', required: true }],
        'required',
      ],
    ])('refuses %s that records would suffer from, unless it is confirmed', async (_, field, value, fields, kind) => {
      const type = await aTypeWith([field]);
      const ids = [
        await aRecord(type, value === undefined ? {} : { a: value }),
        await aRecord(type, value === undefined ? {} : { a: value }),
      ];

      const { status, body } = await change(type, { fields });
      const wrong = await change(type, { fields }, '?confirm=other');
      const confirmed = await change(type, { fields }, `?confirm=${type}`);

      expect([status, body.error]).toEqual([409, 'type_in_use']);
      expect(body.details).toEqual([
        { field: kind === 'required' && fields[0]?.name === 'b' ? 'b' : 'a', change: kind, records: 2, ids },
      ]);
      expect(wrong.status).toBe(409);
      expect(confirmed.status).toBe(200);
    });

    it.each<[string, object, unknown, object[], string]>([
      ['removing a field', { name: 'a', type: 'string' }, 'text', [], 'removed'],
      ['a shorter kind', { name: 'a', type: 'markdown' }, 'x'.repeat(300), [{ name: 'a', type: 'string' }], 'narrowed'],
      [
        'taking a choice away',
        { name: 'a', type: 'enum', values: ['x', 'y'] },
        'x',
        [{ name: 'a', type: 'enum', values: ['y'] }],
        'narrowed',
      ],
    ])('refuses %s that working copies alone would suffer from, too', async (_, field, value, fields, kind) => {
      const type = await aTypeWith([field]);
      const copied = await aRecord(type);
      await save(`${type}/${copied}`, { a: value });
      const alone = await change(type, { fields });
      const id = await aRecord(type, { a: value });
      await save(`${type}/${id}`, { title: 'Changed', a: value });

      const { status, body } = await change(type, { fields });
      const confirmed = await change(type, { fields }, `?confirm=${type}`);

      expect([alone.status, alone.body.details]).toEqual([
        409,
        [{ field: 'a', change: kind, records: 1, ids: [copied] }],
      ]);
      expect(alone.body.message).toContain(`a (${kind}): 1 record (only in working copies).`);
      expect([status, body.details]).toEqual([409, [{ field: 'a', change: kind, records: 2, ids: [id, copied] }]]);
      expect(body.message).toContain(`a (${kind}): 2 records (1 of them only in working copies).`);
      expect(confirmed.status).toBe(200);
    });

    it('refuses to take away a taxonomy of which working copies alone have terms', async () => {
      const type = await aTypeWith([]);
      await change(type, { taxonomies: ['tag'] });
      const id = await aRecord(type);
      await save(`${type}/${id}`, { terms: { tag: ['Not made yet'] } });

      const { status, body } = await change(type, { taxonomies: [] });

      expect([status, body.details]).toEqual([409, [{ field: 'tag', change: 'removed', records: 1, ids: [id] }]]);
      expect((await change(type, { taxonomies: [] }, `?confirm=${type}`)).status).toBe(200);
    });

    it('lets a working copy hold what did not fit before either', async () => {
      const type = await aTypeWith([{ name: 'a', type: 'integer', max: 5 }]);
      await save(`${type}/${await aRecord(type)}`, { a: 9 });

      expect((await change(type, { fields: [{ name: 'a', type: 'integer', max: 4 }] })).status).toBe(200);
    });

    it('makes changes that no record suffers from', async () => {
      const type = await aTypeWith([
        { name: 'a', type: 'integer', min: 0 },
        { name: 'b', type: 'string' },
      ]);
      await aRecord(type, { a: 3 });

      const { status } = await change(type, { fields: [{ name: 'a', type: 'number', max: 3, required: true }] });

      expect(status).toBe(200);
    });

    it('adds a required field that has a default, and asks for nothing', async () => {
      const type = await aTypeWith([]);
      const id = await aRecord(type);

      const { status } = await change(type, {
        fields: [{ name: 'mood', type: 'string', required: true, default: 'calm' }],
      });

      expect(status).toBe(200);
      await service.http().put(`/api/cms/${type}/${id}`).send({ title: 'Still' }).expect(200);
      expect((await service.http().get(`/api/cms/${type}/${await aRecord(type)}`)).body.data.mood).toBe('calm');
    });

    it('refuses to change the kind of a field that has values', async () => {
      const type = await aTypeWith([{ name: 'a', type: 'string' }]);
      const fields = [{ name: 'a', type: 'integer' }];
      const id = await aRecord(type, { a: 'x' });

      const refused = await change(type, { fields }, `?confirm=${type}`);
      await service.http().put(`/api/cms/${type}/${id}`).send({ a: null });
      const allowed = await change(type, { fields });

      expect([refused.status, ...faultsOf(refused)]).toEqual([422, 'fields.0.type: kind']);
      expect(allowed.status).toBe(200);
    });

    it('refuses to change the kind of a field that has values in working copies', async () => {
      const type = await aTypeWith([{ name: 'a', type: 'string' }]);
      const fields = [{ name: 'a', type: 'integer' }];
      const path = `${type}/${await aRecord(type)}`;
      await save(path, { a: 'Text' });

      const refused = await change(type, { fields }, `?confirm=${type}`);
      await save(path, { a: null });
      const allowed = await change(type, { fields });

      expect([refused.status, ...faultsOf(refused)]).toEqual([422, 'fields.0.type: kind']);
      expect(refused.body.message).toContain('a has a value in 1 record (only in working copies) and cannot');
      expect(allowed.status).toBe(200);
    });

    it('fills the index of a field that becomes indexed, and empties it again', async () => {
      const type = await aTypeWith([{ name: 'a', type: 'integer' }]);
      const ids = [await aRecord(type, { a: 2 }), await aRecord(type, { a: 1 }), await aRecord(type)];
      const sorted = async (): Promise<unknown> => {
        const { status, body } = await service.http().get(`/api/cms/${type}?sort=a`);
        return status === 200 ? body.data.map(({ id }: { id: number }) => id).sort() : body.error;
      };

      expect(await sorted()).toBe('invalid_query');
      const indexed = await change(type, { fields: [{ name: 'a', type: 'integer', indexed: true }] });
      expect(indexed.body.data.fields[0]).not.toHaveProperty('building');
      expect(await sorted()).toEqual(ids);
      const found = await service.http().get(`/api/cms/${type}?filter[a][gte]=2`);
      expect(found.body.data.map(({ id }: { id: number }) => id)).toEqual([ids[0]]);

      await change(type, { fields: [{ name: 'a', type: 'integer' }] });
      expect(await sorted()).toBe('invalid_query');
    });

    it('makes a field unique when no values repeat, and never otherwise', async () => {
      const type = await aTypeWith([{ name: 'a', type: 'string' }]);
      const fields = [{ name: 'a', type: 'string', unique: true }];
      await aRecord(type, { a: 'x' });
      const second = await aRecord(type, { a: 'x' });

      const refused = await change(type, { fields }, `?confirm=${type}`);
      await service.http().put(`/api/cms/${type}/${second}`).send({ a: 'y' });
      const made = await change(type, { fields });
      const repeated = await service.http().post(`/api/cms/${type}`).send({ title: 'x', a: 'x' });

      expect([refused.status, refused.body.details]).toEqual([
        409,
        [{ field: 'a', change: 'unique', records: 2, ids: [expect.any(Number), expect.any(Number)] }],
      ]);
      expect(made.status).toBe(200);
      expect([repeated.status, ...faultsOf(repeated)]).toEqual([422, 'a: unique']);
    });

    it('answers 404 for a type that does not exist', async () => {
      expect((await change('nothing', {})).body.error).toBe('type_not_found');
    });
  });

  describe('DELETE /api/admin/types/{name}', () => {
    const remove = (type: string, query = ''): Promise<Response> =>
      service.http().delete(`/api/admin/types/${type}${query}`);

    it('deletes a type without records, which is gone at once', async () => {
      const type = await aTypeWith([{ name: 'a', type: 'string' }]);

      expect((await remove(type)).status).toBe(204);
      expect((await service.http().get(`/api/cms/types/${type}`)).status).toBe(404);
      expect((await service.http().get(`/api/cms/${type}`)).body.error).toBe('type_not_found');
      expect((await remove(type)).status).toBe(404);
    });

    it('refuses a type with records, the trash included, unless it is confirmed', async () => {
      const type = await aTypeWith([{ name: 'a', type: 'string', indexed: true }]);
      const trashed = await aRecord(type, { a: 'x' });
      const id = await aRecord(type, { a: 'y' });
      await service.http().delete(`/api/cms/${type}/${trashed}`).expect(204);

      const { status, body } = await remove(type);
      const confirmed = await remove(type, `?confirm=${type}`);
      await aTypeWith([], type);

      expect([status, body.error, body.details]).toEqual([409, 'type_not_empty', [{ records: 2 }]]);
      expect(confirmed.status).toBe(204);
      expect((await service.http().get(`/api/cms/${type}`)).body.meta.total).toBe(0);
      expect((await service.http().get(`/api/cms/${type}/${id}`)).status).toBe(404);
    });

    it('refuses a type that fields of others point to', async () => {
      const target = await aTypeWith([]);
      const source = await aTypeWith([{ name: 'a', type: 'relation', to: [target] }]);

      const { status, body } = await remove(target, `?confirm=${target}`);

      expect([status, body.error]).toEqual([409, 'type_in_use']);
      expect(body.message).toContain(`${source}.a`);
    });
  });
});
