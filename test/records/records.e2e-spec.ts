import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

describe('Records', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
  });

  afterAll(() => service.close());

  const create = (body: object) => service.http().post('/api/cms/post').send(body);

  describe('POST /api/cms/{type}', () => {
    it('answers 201 with the whole record, where it lives and its version', async () => {
      const answer = await create({ title: 'Hello world', body: '# Hello', status: 'published' });

      expect(answer.status).toBe(201);
      const { id } = answer.body.data;
      expect(answer.headers.location).toBe(`/api/cms/post/${id}`);
      expect(answer.headers.etag).toBe('"1"');
      expect(answer.body.data).toMatchObject({
        type: 'post',
        title: 'Hello world',
        slug: 'hello-world',
        body: '# Hello',
        status: 'published',
        locale: 'en',
        terms: { category: [], tag: [] },
        version: 1,
        created_by: { kind: 'token', id: null, name: 'admin' },
      });
      expect(answer.body.data.url).toMatch(/\/post\/hello-world$/);
      expect(answer.body.data.published_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

    it('makes a draft unless the body says otherwise', async () => {
      const answer = await create({ title: 'Not yet' });

      expect(answer.body.data).toMatchObject({ status: 'draft', body: null, published_at: null });
    });

    it('numbers the slugs of equal titles', async () => {
      const slugs = [];
      for (const title of ['Same', 'Same', 'same!']) slugs.push((await create({ title })).body.data.slug);

      expect(slugs).toEqual(['same', 'same-2', 'same-3']);
    });

    it('makes a slug of the letters of a title that are not Latin', async () => {
      const answer = await create({ title: '天気' });

      expect(answer.status).toBe(201);
      expect(answer.body.data.slug).toBe('天気');
    });

    it('answers 409 when a slug that was sent is taken', async () => {
      await create({ title: 'One', slug: 'mine' });

      const answer = await create({ title: 'Two', slug: 'mine' });

      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ error: 'slug_taken', message: expect.stringContaining('mine') });
    });

    it('answers 422 with all faults at once', async () => {
      const answer = await create({ body: 7, status: 'lost', colour: 'red' });

      expect(answer.status).toBe(422);
      expect(answer.body.error).toBe('validation_failed');
      const fields = answer.body.details.map(({ field }: { field: string }) => field);
      expect(fields.sort()).toEqual(['body', 'colour', 'status', 'title']);
    });

    it('answers 404 for a type that does not exist or cannot exist', async () => {
      for (const type of ['nothing', 'Types', '__proto__', 'constructor', '%74ypos']) {
        const answer = await service.http().post(`/api/cms/${type}`).send({ title: 'x' });
        expect([type, answer.status, answer.body.error]).toEqual([type, 404, 'type_not_found']);
      }
    });

    it('needs records:publish to publish', async () => {
      const answer = await service.http(TOKENS.reader).post('/api/cms/post').send({ title: 'x' });

      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ error: 'insufficient_scope', details: [{ scope: 'records:create' }] });
    });

    it('lets exactly one of fifty parallel creates have a slug', async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => create({ title: `Race ${n}`, slug: 'the-one' })),
      );

      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array<number>(49).fill(409)]);
    });

    it('gives fifty parallel creates of one title fifty slugs, numbered without a gap', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => create({ title: 'Crowded' })));

      expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(201));
      const slugs = answers.map(({ body }) => String(body.data.slug));
      const numbers = Array.from({ length: 49 }, (_, at) => `crowded-${at + 2}`);
      expect(slugs.sort()).toEqual(['crowded', ...numbers].sort());
    });
  });

  describe('GET /api/cms/{type}/{id}', () => {
    it('reads by id and by slug', async () => {
      const { data } = (await create({ title: 'Find me', status: 'published' })).body;

      const byId = await service.http().get(`/api/cms/post/${data.id}`);
      const bySlug = await service.http().get('/api/cms/post/slug:find-me');

      expect(byId.status).toBe(200);
      expect(byId.body.data).toEqual(data);
      expect(bySlug.body.data).toEqual(data);
      expect(byId.headers['cache-control']).toBe('private, no-cache');
    });

    it('answers 304 to a client that has the version', async () => {
      const { data } = (await create({ title: 'Known' })).body;

      const answer = await service.http().get(`/api/cms/post/${data.id}`).set('If-None-Match', 'W/"9", "1"');

      expect(answer.status).toBe(304);
      expect(answer.text).toBe('');
      expect(answer.headers.etag).toBe('"1"');
    });

    it.each([
      '99999',
      '0',
      '-1',
      '1.5',
      'abc',
      '99999999999999999999',
      '9999999999999999',
      'slug:nothing',
      'slug:',
      '%00',
      '1%20',
    ])('answers 404 for the id %s', async (id) => {
      const answer = await service.http().get(`/api/cms/post/${id}`);

      expect(answer.status).toBe(404);
      expect(answer.body.error).toBe('record_not_found');
      expect(answer.body.message).toMatch(/^Record not found: post\//);
    });

    it('shows only the fields that are asked for', async () => {
      const { data } = (await create({ title: 'Slim', body: 'fat' })).body;

      const answer = await service.http().get(`/api/cms/post/${data.id}?fields=id,title`);

      expect(answer.body.data).toEqual({ id: data.id, title: 'Slim' });
    });

    it('answers 404 for a record of another type', async () => {
      const { data } = (await create({ title: 'A post' })).body;

      expect((await service.http().get(`/api/cms/page/${data.id}`)).status).toBe(404);
    });

    it('answers HEAD like GET without a body', async () => {
      const { data } = (await create({ title: 'Head' })).body;

      const answer = await service.http().head(`/api/cms/post/${data.id}`);

      expect(answer.status).toBe(200);
      expect(answer.headers.etag).toBe('"1"');
    });
  });

  describe.each(['put', 'patch'] as const)('%s /api/cms/{type}/{id}', (method) => {
    it('changes what was sent, keeps the rest and clears what is null', async () => {
      const { data } = (await create({ title: 'Before', body: 'text' })).body;

      const answer = await service.http()[method](`/api/cms/post/${data.id}`).send({ title: 'After' });
      const cleared = await service.http()[method](`/api/cms/post/${data.id}`).send({ body: null });

      expect(answer.status).toBe(200);
      expect(answer.body.data).toMatchObject({ title: 'After', body: 'text', slug: data.slug, version: 2 });
      expect(answer.headers.etag).toBe('"2"');
      expect(cleared.body.data).toMatchObject({ title: 'After', body: null, version: 3 });
      expect(cleared.body.data.updated_at > answer.body.data.updated_at).toBe(true);
    });

    it('writes nothing when nothing changes', async () => {
      const { data } = (await create({ title: 'Still', body: 'text' })).body;

      const answer = await service.http()[method](`/api/cms/post/${data.id}`).send({ title: 'Still', body: 'text' });

      expect(answer.body.data).toEqual(data);
    });

    it('answers 412 when the version is stale, with the present one', async () => {
      const { data } = (await create({ title: 'Mine' })).body;
      const path = `/api/cms/post/${data.id}`;
      await service.http()[method](path).send({ title: 'Theirs' });

      const stale = await service.http()[method](path).set('If-Match', '"1"').send({ title: 'Ours' });
      const fresh = await service.http()[method](path).set('If-Match', '"2"').send({ title: 'Ours' });

      expect(stale.status).toBe(412);
      expect(stale.body).toMatchObject({
        error: 'version_conflict',
        details: [{ version: 2, fields: { title: 'Theirs' } }],
      });
      expect(fresh.status).toBe(200);
    });

    it('answers 409 when the slug is taken', async () => {
      await create({ title: 'x', slug: `taken-${method}` });
      const { data } = (await create({ title: 'y' })).body;

      const answer = await service
        .http()
        [method](`/api/cms/post/${data.id}`)
        .send({ slug: `taken-${method}` });

      expect(answer.status).toBe(409);
    });

    it('answers 422 for a read-only field and 404 for a record that is not there', async () => {
      const { data } = (await create({ title: 'x' })).body;

      const answer = await service.http()[method](`/api/cms/post/${data.id}`).send({ id: 5, version: 9 });
      const missing = await service.http()[method]('/api/cms/post/987654').send({ title: 'x' });

      expect(answer.status).toBe(422);
      expect(answer.body.details.map(({ rule }: { rule: string }) => rule)).toEqual(['read_only', 'read_only']);
      expect(missing.body.error).toBe('record_not_found');
    });
  });

  it('loses none of two hundred parallel updates of one record', async () => {
    const { data } = (await create({ title: 'Counter' })).body;

    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        service
          .http()
          .put(`/api/cms/post/${data.id}`)
          .send({ body: `update ${n}` }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array<number>(200).fill(200));
    const versions = answers.map(({ body }) => body.data.version).sort((a: number, b: number) => a - b);
    expect(versions).toEqual(Array.from({ length: 200 }, (_, n) => n + 2));
  });

  it('lets exactly one of twenty parallel updates with one version through', async () => {
    const { data } = (await create({ title: 'Guarded' })).body;

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        service
          .http()
          .put(`/api/cms/post/${data.id}`)
          .set('If-Match', '"1"')
          .send({ title: `Guarded ${n}` }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(412)]);
  });

  describe('status', () => {
    it('sets published_at on publishing, keeps it when archived and clears it when withdrawn', async () => {
      const { data } = (await create({ title: 'Life' })).body;
      const put = (body: object) => service.http().put(`/api/cms/post/${data.id}`).send(body);

      const published = (await put({ status: 'published' })).body.data;
      const archived = (await put({ status: 'archived' })).body.data;
      const draft = (await put({ status: 'draft' })).body.data;

      expect(published.published_at).not.toBeNull();
      expect(archived.published_at).toBe(published.published_at);
      expect(draft.published_at).toBeNull();
    });

    it('takes a back-date and refuses a date in the future', async () => {
      const past = await create({ title: 'Old', status: 'published', published_at: '2020-01-02T03:04:05Z' });
      const future = await create({ title: 'New', status: 'published', published_at: '2999-01-01T00:00:00Z' });

      expect(past.body.data.published_at).toBe('2020-01-02T03:04:05.000Z');
      expect(future.status).toBe(422);
    });
  });

  describe('DELETE /api/cms/{type}/{id}', () => {
    it('answers 204, then 404, and frees the slug', async () => {
      const { data } = (await create({ title: 'Gone', status: 'published' })).body;
      const path = `/api/cms/post/${data.id}`;

      const first = await service.http().delete(path);
      const second = await service.http().delete(path);
      const again = await create({ title: 'Gone' });

      expect(first.status).toBe(204);
      expect(first.text).toBe('');
      expect(second.status).toBe(404);
      expect((await service.http().get(path)).status).toBe(404);
      expect(again.body.data.slug).toBe('gone');
    });

    it('keeps the record in the trash, from which it can be restored', async () => {
      const { data } = (await create({ title: 'Back again', status: 'published' })).body;
      await service.http().delete(`/api/cms/post/${data.id}`);
      await create({ title: 'Back again' });

      const trash = await service.http().get('/api/cms/post/-/trash?per_page=100');
      const restored = await service.http().post(`/api/cms/post/${data.id}/restore`);

      expect(trash.body.data.map(({ id }: { id: number }) => id)).toContain(data.id);
      expect(restored.status).toBe(200);
      expect(restored.body.data).toMatchObject({ id: data.id, slug: 'back-again-2', status: 'published' });
      expect((await service.http().get(`/api/cms/post/${data.id}`)).status).toBe(200);
    });

    it('removes at once and for good with permanent=true', async () => {
      const { data } = (await create({ title: 'Burn' })).body;
      const path = `/api/cms/post/${data.id}`;

      const removed = await service.http().delete(`${path}?permanent=true`);

      expect(removed.status).toBe(204);
      expect((await service.http().post(`${path}/restore`)).status).toBe(404);
    });

    it('removes a record out of the trash', async () => {
      const { data } = (await create({ title: 'Burn later' })).body;
      await service.http().delete(`/api/cms/post/${data.id}`);

      expect((await service.http().delete(`/api/cms/post/${data.id}?permanent=true`)).status).toBe(204);
      expect((await service.http().delete(`/api/cms/post/${data.id}?permanent=true`)).status).toBe(404);
    });

    it('refuses a stale version and an unknown parameter', async () => {
      const { data } = (await create({ title: 'Careful' })).body;

      expect((await service.http().delete(`/api/cms/post/${data.id}`).set('If-Match', '"4"')).status).toBe(412);
      expect((await service.http().delete(`/api/cms/post/${data.id}?force=1`)).body.error).toBe('invalid_query');
    });
  });
});
