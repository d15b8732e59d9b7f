import { copyRequests } from '../support/copy-requests.js';
import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const SECRETS = {
  author: 'test-author-token-0123456789',
  stranger: 'test-stranger-token-0123456789',
  writer: 'test-writer-token-0123456789',
};
const API_TOKENS = [
  `admin=${TOKENS.admin}`,
  `author=${SECRETS.author};records:read records:create records:update_own drafts:read`,
  `stranger=${SECRETS.stranger};records:read records:update_own drafts:read`,
  `writer=${SECRETS.writer};records:update records:publish drafts:read`,
].join(',');

describe('The working copy of a record that is folded in', () => {
  let service: TestApp;
  let posts: Historian;

  beforeAll(async () => {
    service = await startTestApp({ API_TOKENS, RATE_LIMITS: 'off' });
    posts = new Historian(service);
  });
  afterAll(() => service.close());

  const { save, read, draftOf } = copyRequests(() => service);

  describe('Publishing', () => {
    it('folds it in with one revision, and uses it up', async () => {
      const id = await posts.create({ title: 'One', body: 'Text' });
      await save(`post/${id}`, { title: 'Two' });

      const { body, headers } = await posts.post(`${id}/publish`).expect(200);

      expect(body.data).toMatchObject({ title: 'Two', body: 'Text', status: 'published', version: 2 });
      expect(headers.etag).toBe('"2"');
      expect((await posts.history(id)).map(({ action, changed }) => [action, changed])).toEqual([
        ['publish', expect.arrayContaining(['title', 'status'])],
        ['create', expect.anything()],
      ]);
      expect(await draftOf(`post/${id}`)).toBeNull();
    });

    it('of a published record makes a revision `publish` too', async () => {
      const id = await posts.create({ title: 'One', status: 'published' });
      const { published_at: publishedAt } = (await posts.get(id)).body.data;
      await save(`post/${id}`, { title: 'Two' });

      const { body } = await posts.post(`${id}/publish`).expect(200);

      expect(body.data).toMatchObject({ title: 'Two', published_at: publishedAt });
      expect((await posts.history(id))[0]).toMatchObject({ action: 'publish', changed: ['title'] });
    });

    it('takes the version that it is to have, and refuses another one', async () => {
      const id = await posts.create({ title: 'One' });
      const none = await posts.post(`${id}/publish`, { draft_version: 7 });
      const { draft } = (await save(`post/${id}`, { title: 'Two' })).meta;

      const stale = await posts.post(`${id}/publish`, { draft_version: draft.version - 1 });

      expectError(none, 'draft_not_found');
      expectError(stale, 'version_conflict');
      expect(stale.body.details).toMatchObject([{ version: draft.version, updated_by: draft.updated_by }]);
      await posts.post(`${id}/publish`, { draft_version: draft.version }).expect(200);
    });

    it('is refused to who knows of no working copy if there is one', async () => {
      const id = await posts.create({ title: 'One' });
      await save(`post/${id}`, { title: 'A colleague' });

      expectError(await posts.post(`${id}/publish`, { draft_version: null }), 'version_conflict');

      expect((await posts.get(id)).body.data).toMatchObject({ title: 'One', status: 'draft' });
      const other = await posts.create({ title: 'Other' });
      await posts.post(`${other}/publish`, { draft_version: null }).expect(200);
    });

    it('uses up one that the record has caught up with, and writes nothing', async () => {
      const id = await posts.create({ title: 'One', status: 'published' });
      await save(`post/${id}`, { title: 'Two' });
      await posts.update(id, { title: 'Two' });

      const { body } = await posts.post(`${id}/publish`).expect(200);

      expect(body.data).toMatchObject({ title: 'Two', version: 2 });
      expect(await draftOf(`post/${id}`)).toBeNull();
      expect(await posts.history(id)).toHaveLength(2);
    });
  });

  describe('POST /api/cms/{type}/{id}/draft/apply', () => {
    it('folds it in with one revision `update`, and leaves the status', async () => {
      const id = await posts.create({ title: 'One' });
      await save(`post/${id}`, { title: 'Two' });

      const { body } = await posts.post(`${id}/draft/apply`).expect(200);

      expect(body.data).toMatchObject({ title: 'Two', status: 'draft', version: 2 });
      expect((await posts.history(id))[0]).toMatchObject({ action: 'update', changed: ['title'] });
      expectError(await posts.post(`${id}/draft/apply`), 'draft_not_found');
    });

    it('takes the right to change a draft, and that to publish where the record is public', async () => {
      const [drafted, published] = [
        (await posts.post('', { title: 'Mine' }, SECRETS.author)).body.data.id as number,
        await posts.create({ title: 'Public', status: 'published' }),
      ];
      for (const id of [drafted, published]) await save(`post/${id}`, { title: 'Two' });

      expectError(await posts.post(`${drafted}/draft/apply`, {}, SECRETS.stranger), 'insufficient_scope');
      expectError(await posts.post(`${published}/draft/apply`, {}, SECRETS.author), 'insufficient_scope');
      await posts.post(`${drafted}/draft/apply`, {}, SECRETS.author).expect(200);
      await posts.post(`${published}/draft/apply`, {}, SECRETS.writer).expect(200);
    });
  });

  describe('A change of the record meanwhile', () => {
    it.each(['publish', 'draft/apply'])(
      'of the same part keeps %s from being done, until the part is sent again',
      async (step) => {
        const id = await posts.create({ title: 'One', body: 'Text', status: 'published' });
        await save(`post/${id}`, { title: 'Mine', body: 'Mine' });
        await posts.update(id, { title: 'Theirs' });

        const refused = await posts.post(`${id}/${step}`);
        const seen = (await read(`post/${id}`)).body;
        const resolved = await save(`post/${id}`, { title: 'Both' });
        const { body } = await posts.post(`${id}/${step}`).expect(200);

        expectError(refused, 'draft_conflict');
        expect(refused.body.details).toEqual([{ field: 'title', base: 'One', live: 'Theirs', draft: 'Mine' }]);
        expect(seen.data.title).toBe('Mine');
        expect(seen.meta.draft).toMatchObject({
          base_version: 1,
          conflicts: [{ field: 'title', base: 'One', live: 'Theirs' }],
        });
        expect(resolved.meta.draft).toMatchObject({ base_version: 2, conflicts: [] });
        expect(body.data).toMatchObject({ title: 'Both', body: 'Mine' });
      },
    );

    it('is no conflict that an editor settles unseen who says which version of the record it has read', async () => {
      const id = await posts.create({ title: 'One' });
      const path = `/api/cms/post/${id}/draft`;
      const first = await service
        .http()
        .patch(`${path}?record_version=1`)
        .set('If-Match', '"1"')
        .send({ title: 'Two' });
      await posts.update(id, { title: 'A colleague' });
      const again = (version: number) =>
        service
          .http()
          .patch(`${path}?record_version=${version}`)
          .set('If-Match', String(first.headers.etag))
          .send({ title: 'Twofold' });

      const stale = await again(1);

      expectError(stale, 'version_conflict');
      expect(stale.body.message).toMatch(/^The record has changed .* at version 2 now\.$/);
      expect(stale.body.details).toMatchObject([{ version: 2, fields: { title: 'A colleague' } }]);
      expect(stale.headers.etag).toBe(first.headers.etag);
      expect((await draftOf(`post/${id}`)).conflicts).toEqual([{ field: 'title', base: 'One', live: 'A colleague' }]);
      expect((await again(2)).body.meta.draft.conflicts).toEqual([]);
      expectError(
        await service.http().patch(`${path}?record_version=x`).set('If-Match', '*').send({}),
        'invalid_query',
      );
    });

    it('of another part is no conflict: PUT and rollback leave the copy alone', async () => {
      const id = await posts.create({ title: 'One', body: 'Text', status: 'published' });
      const [first = 0] = await posts.times(id);
      await save(`post/${id}`, { title: 'Mine' });

      await posts.update(id, { body: 'Other' });
      const changed = await draftOf(`post/${id}`);
      await posts.post(`${id}/rollback/${first}`).expect(200);
      const rolledBack = await draftOf(`post/${id}`);
      const { body } = await posts.post(`${id}/publish`).expect(200);

      for (const draft of [changed, rolledBack]) expect(draft).toMatchObject({ changed: ['title'], conflicts: [] });
      expect(body.data).toMatchObject({ title: 'Mine', body: 'Text' });
    });

    it('to the same is no conflict', async () => {
      const id = await posts.create({ title: 'One' });
      await save(`post/${id}`, { title: 'Two', body: 'Mine' });
      await posts.update(id, { title: 'Two' });

      expect(await draftOf(`post/${id}`)).toMatchObject({ changed: ['body'], conflicts: [] });
      expect((await posts.post(`${id}/publish`).expect(200)).body.data).toMatchObject({ title: 'Two', body: 'Mine' });
    });

    it('is named without values to those who may publish and not read', async () => {
      const id = await posts.create({ title: 'One', status: 'published' });
      await save(`post/${id}`, { title: 'Mine' });
      await posts.update(id, { title: 'Theirs' });

      const { body } = await posts.post(`${id}/publish`, {}, SECRETS.writer);

      expect(body.details).toEqual([{ field: 'title' }]);
    });
  });
});
