import { Writer } from '../../src/database/statements/writer.js';
import { copyRequests } from '../support/copy-requests.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('The working copy of a record', () => {
  let service: TestApp;
  let posts: Historian;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
    posts = new Historian(service);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  const { send, save, read, draftOf } = copyRequests(() => service);

  describe('PATCH /api/cms/{type}/{id}/draft', () => {
    it('begins it with the first change, and leaves the record, its version and its history alone', async () => {
      const id = await posts.create({ title: 'One', body: 'Text', status: 'published' });
      const before = (await posts.get(id)).body.data;

      const { status, body, headers } = await send('patch', `post/${id}`, '"1"', { title: 'Two' });

      expect(status).toBe(201);
      expect(body.data).toEqual({ ...before, title: 'Two' });
      expect(body.meta.draft).toEqual({
        version: expect.any(Number),
        base_version: 1,
        changed: ['title'],
        conflicts: [],
        faults: [],
        new_terms: {},
        created_at: expect.any(String),
        created_by: { kind: 'token', id: null, name: 'admin' },
        updated_at: expect.any(String),
        updated_by: { kind: 'token', id: null, name: 'admin' },
      });
      expect(headers).toMatchObject({
        etag: `"d${body.meta.draft.version}"`,
        location: `/api/cms/post/${id}/draft`,
      });
      expect((await posts.get(id)).body.data).toEqual(before);
      expect(await posts.history(id)).toHaveLength(1);
    });

    it('adds changes to those that there are, under the version of the copy', async () => {
      const id = await posts.create({ title: 'One' });
      const first = await send('patch', `post/${id}`, '"1"', { title: 'Two' });

      const second = await send('patch', `post/${id}`, String(first.headers.etag), { body: 'Text' });

      expect(second.status).toBe(200);
      expect(second.body.data).toMatchObject({ title: 'Two', body: 'Text' });
      expect(second.body.meta.draft.version).toBeGreaterThan(first.body.meta.draft.version);
      expect((await read(`post/${id}`).expect(200)).body).toEqual(second.body);
    });

    it('names a tag that is to be made once, however often and in whatever case it was sent', async () => {
      const id = await posts.create({ title: 'Filed' });

      const { meta } = await save(`post/${id}`, { terms: { tag: ['Copied once', 'copied ONCE', 'Copied twice'] } });

      expect(meta.draft.new_terms).toEqual({ tag: ['Copied once', 'Copied twice'] });
    });

    it('asks for If-Match', async () => {
      const id = await posts.create({ title: 'One' });

      for (const method of ['patch', 'put'] as const)
        expectError(await send(method, `post/${id}`, null, { title: 'Two' }), 'precondition_required');

      expect(await draftOf(`post/${id}`)).toBeNull();
    });

    it('refuses what was read before the last save, and says who has saved and what the fields hold now', async () => {
      const id = await posts.create({ title: 'One', body: 'Live' });
      const { draft } = (await save(`post/${id}`, { title: 'Two' })).meta;

      for (const tag of ['"d1"', '"1"', '"d1", "1"', 'W/"d1"', '"nothing"']) {
        const answer = await send('patch', `post/${id}`, tag, { title: 'Mine', body: 'Mine', terms: { tag: [] } });

        expectError(answer, 'version_conflict');
        const { version, updated_by, updated_at } = draft;
        const fields = { title: 'Two', body: 'Live', terms: {} };
        expect(answer.body.details).toEqual([{ version, updated_by, updated_at, fields }]);
        expect(answer.headers.etag).toBe(`"d${version}"`);
      }
    });

    it('refuses the version of a copy that is gone, whatever copy there is later', async () => {
      jest.spyOn(Date, 'now').mockReturnValue(Date.now());
      const id = await posts.create({ title: 'One' });
      const { draft } = (await save(`post/${id}`, { title: 'Two' })).meta;
      const tag = `"d${draft.version}"`;
      await send('delete', `post/${id}`, tag).expect(204);

      const gone = await send('patch', `post/${id}`, tag, { title: 'Late' });
      await save(`post/${id}`, { title: 'Three' });
      const other = await send('patch', `post/${id}`, tag, { title: 'Late' });

      expectError(gone, 'version_conflict');
      expect(gone.body.details).toMatchObject([{ version: 1, fields: { title: 'One' } }]);
      expect(gone.headers.etag).toBe('"1"');
      expectError(other, 'version_conflict');
    });

    it('drops what becomes again what the record has, and itself with the last of it', async () => {
      const id = await posts.create({ title: 'One', body: 'Text' });
      await save(`post/${id}`, { title: 'Two', body: null });

      const { meta } = await save(`post/${id}`, { title: 'One' });
      const last = await send('patch', `post/${id}`, `"d${meta.draft.version}"`, { body: 'Text' });

      expect(meta.draft.changed).toEqual(['body']);
      expect([last.status, last.body.meta, last.headers.etag]).toEqual([200, { draft: null }, '"1"']);
      expectError(await read(`post/${id}`), 'draft_not_found');
    });

    it('begins nothing where nothing is to change, and saves nothing twice', async () => {
      const id = await posts.create({ title: 'One' });

      const nothing = await send('patch', `post/${id}`, '"1"', { title: 'One' });
      const first = await save(`post/${id}`, { title: 'Two' });
      const again = await save(`post/${id}`, { title: 'Two' });

      expect([nothing.status, nothing.body.meta.draft]).toEqual([200, null]);
      expect(again.meta.draft).toEqual(first.meta.draft);
    });

    it('does not take what is no content of the record', async () => {
      const id = await posts.create({ title: 'One' });

      for (const body of [{ status: 'published' }, { locale: 'de' }, { published_at: null }, { version: 7 }])
        expectError(await send('patch', `post/${id}`, '"1"', body), 'validation_failed');
    });
  });

  it('is answered without the record where the client prefers that', async () => {
    const id = await posts.create({ title: 'One' });

    const { body, headers } = await send('patch', `post/${id}`, '"1"', { title: 'Two' })
      .set('Prefer', 'return=minimal')
      .expect(201);

    expect(Object.keys(body)).toEqual(['meta']);
    expect(headers.etag).toBe(`"d${body.meta.draft.version}"`);
  });

  describe('PUT /api/cms/{type}/{id}/draft', () => {
    it('replaces all of it', async () => {
      const id = await posts.create({ title: 'One', body: 'Text' });
      const { draft } = (await save(`post/${id}`, { title: 'Two' })).meta;

      const { body } = await send('put', `post/${id}`, `"d${draft.version}"`, { body: 'Other' }).expect(200);

      expect(body.data).toMatchObject({ title: 'One', body: 'Other' });
      expect(body.meta.draft.changed).toEqual(['body']);
    });

    it('empties it with an empty body', async () => {
      const id = await posts.create({ title: 'One' });
      await save(`post/${id}`, { title: 'Two' });

      const { body } = await send('put', `post/${id}`, '*', {}).expect(200);

      expect(body.meta.draft).toBeNull();
    });
  });

  describe('DELETE /api/cms/{type}/{id}/draft', () => {
    it('discards it, under its version where that is sent', async () => {
      const id = await posts.create({ title: 'One' });
      const { draft } = (await save(`post/${id}`, { title: 'Two' })).meta;

      expectError(await send('delete', `post/${id}`, '"d1"'), 'version_conflict');
      expectError(await send('delete', `post/${id}`, '"1"'), 'version_conflict');
      await send('delete', `post/${id}`, `"d${draft.version}"`).expect(204);

      expectError(await send('delete', `post/${id}`, null), 'draft_not_found');
      expect((await posts.get(id)).body.data).toMatchObject({ title: 'One', version: 1 });
    });

    it('discards one that cannot be read', async () => {
      const id = await posts.create({ title: 'One' });
      await save(`post/${id}`, { title: 'Two' });
      const { source } = service.app.get(Writer, { strict: false });
      await source.query("UPDATE record_drafts SET changes = '[' WHERE record_id = ?", [id]);

      expectError(await read(`post/${id}`), 'record_damaged');
      expectError(await posts.post(`${id}/publish`), 'record_damaged');
      await send('delete', `post/${id}`, null).expect(204);

      await posts.post(`${id}/publish`).expect(200);
    });
  });

  it('knows a field by its id, whatever it is called, and has nothing for one that is gone', async () => {
    await service
      .http()
      .post('/api/admin/types')
      .send({
        name: 'renamed',
        fields: [
          { name: 'one', type: 'string' },
          { name: 'two', type: 'string' },
        ],
      })
      .expect(201);
    const records = new Historian(service, 'renamed');
    const id = await records.create({ title: 'One', one: 'a' });
    await save(`renamed/${id}`, { one: 'b', two: 'c' });
    const { fields } = (await service.http().get('/api/cms/types/renamed')).body.data;

    await service
      .http()
      .put('/api/admin/types/renamed?confirm=renamed')
      .send({ fields: [{ ...fields[0], name: 'uno' }] })
      .expect(200);

    const { data, meta } = (await read(`renamed/${id}`)).body;
    expect(data).toMatchObject({ uno: 'b' });
    expect(meta.draft.changed).toEqual(['uno']);
    expect((await records.post(`${id}/publish`).expect(200)).body.data).toMatchObject({ uno: 'b' });
  });

  it('stays when the record is withdrawn, waits with it in the trash, and goes with it for good', async () => {
    const id = await posts.create({ title: 'One', status: 'published' });
    await save(`post/${id}`, { title: 'Two' });

    await posts.post(`${id}/unpublish`).expect(200);
    const withdrawn = await draftOf(`post/${id}`);
    await service.http().delete(`/api/cms/post/${id}`).expect(204);
    const trashed = await read(`post/${id}`);
    await posts.post(`${id}/restore`).expect(200);
    const restored = await draftOf(`post/${id}`);
    await service.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);

    expect(withdrawn).toMatchObject({ changed: ['title'] });
    expectError(trashed, 'record_not_found');
    expect(restored).toEqual(withdrawn);
    const { source } = service.app.get(Writer, { strict: false });
    expect(await source.query('SELECT record_id FROM record_drafts WHERE record_id = ?', [id])).toEqual([]);
  });
});
