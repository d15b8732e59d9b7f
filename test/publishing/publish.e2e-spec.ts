import { expectError } from '../support/errors.js';
import { Historian } from '../support/historian.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const SECRETS = {
  author: 'test-author-token-0123456789',
  publisher: 'test-publisher-token-0123456789',
  pages: 'test-pages-token-0123456789',
  blind: 'test-blind-token-0123456789',
};
const API_TOKENS = [
  `admin=${TOKENS.admin}`,
  `author=${SECRETS.author};records:read records:create records:update drafts:read`,
  `publisher=${SECRETS.publisher};records:publish drafts:read`,
  `pages=${SECRETS.pages};records:read drafts:read records:publish:page`,
  `blind=${SECRETS.blind};records:read records:publish`,
].join(',');

describe('Publishing and withdrawing', () => {
  let service: TestApp;
  let posts: Historian;

  beforeAll(async () => {
    service = await startTestApp({ API_TOKENS, RATE_LIMITS: 'off' });
    posts = new Historian(service);
  });
  afterAll(() => service.close());

  const step = async (id: number, name: 'publish' | 'unpublish', body: object = {}) => {
    const answer = await posts.post(`${id}/${name}`, body);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    return answer;
  };
  const actions = async (id: number) => (await posts.history(id)).map(({ action }) => action);

  describe('POST /api/cms/{type}/{id}/publish', () => {
    it('publishes a draft as one revision, and answers the record with its new version', async () => {
      const id = await posts.create({ title: 'One' });

      const { body, headers } = await step(id, 'publish');

      expect(body.data).toMatchObject({ id, status: 'published', version: 2, published_at: body.data.updated_at });
      expect(headers.etag).toBe('"2"');
      expect((await posts.get(id, TOKENS.admin)).body.data).toEqual(body.data);
      expect(await actions(id)).toEqual(['publish', 'create']);
    });

    it('leaves what is published already as it is', async () => {
      const id = await posts.create({ title: 'One', status: 'published' });
      const before = (await posts.get(id)).body.data;

      const { body } = await step(id, 'publish');

      expect(body.data).toEqual(before);
      expect(await actions(id)).toEqual(['create']);
    });

    it('finds a record by its slug, and holds it to If-Match', async () => {
      await posts.create({ title: 'One', slug: 'by-slug' });
      const path = '/api/cms/post/slug:by-slug/publish';

      expectError(await service.http().post(path).set('If-Match', '"9"'), 'version_conflict');
      const { body } = await service.http().post(path).set('If-Match', '"1"').expect(200);

      expect(body.data).toMatchObject({ slug: 'by-slug', status: 'published' });
    });

    it('asks for the right to publish, and for no other', async () => {
      const id = await posts.create({ title: 'One' });

      for (const token of [SECRETS.author, SECRETS.pages])
        expectError(await posts.post(`${id}/publish`, {}, token), 'insufficient_scope');
      const { body } = await posts.post(`${id}/publish`, {}, SECRETS.publisher).expect(200);

      expect(Object.keys(body.data)).toEqual(['id', 'type', 'version', 'created_at', 'updated_at']);
      expect((await posts.get(id)).body.data.status).toBe('published');
    });

    it('does not find what the caller may not see', async () => {
      const id = await posts.create({ title: 'One' });

      const [hidden, none] = [
        await posts.post(`${id}/publish`, {}, SECRETS.blind),
        await posts.post('987654/publish', {}, SECRETS.blind),
      ];

      expectError(hidden, 'record_not_found');
      expect(hidden.body.message.replace(id, 'ID')).toBe(none.body.message.replace('987654', 'ID'));
    });

    it('publishes no record of the trash', async () => {
      const id = await posts.create({ title: 'One' });
      await service.http().delete(`/api/cms/post/${id}`).expect(204);

      expectError(await posts.post(`${id}/publish`), 'record_not_found');
    });
  });

  describe('POST /api/cms/{type}/{id}/unpublish', () => {
    it('makes a published record a draft', async () => {
      const id = await posts.create({ title: 'One', status: 'published' });

      const { body } = await step(id, 'unpublish');

      expect(body.data).toMatchObject({ status: 'draft', published_at: null, version: 2 });
      expect(await actions(id)).toEqual(['unpublish', 'create']);
    });

    it.each(['draft', 'archived'])('keeps the time of the first publication for the next one, from %s', async (to) => {
      const id = await posts.create({ title: 'One', status: 'published', published_at: '2020-01-01T00:00:00Z' });

      for (let round = 0; round < 2; round += 1) {
        await step(id, 'unpublish', { to });
        const { body } = await step(id, 'publish');

        expect(body.data.published_at).toBe('2020-01-01T00:00:00.000Z');
      }
    });

    it('archives it where that is asked for, with the time at which it was published', async () => {
      const id = await posts.create({ title: 'One', status: 'published' });
      const { published_at: publishedAt } = (await posts.get(id)).body.data;

      const { body } = await step(id, 'unpublish', { to: 'archived' });

      expect(body.data).toMatchObject({ status: 'archived', published_at: publishedAt });
    });

    it('makes a draft or an archived record what is asked for, and without that leaves it', async () => {
      for (const [status, order, after] of [
        ['draft', {}, 'draft'],
        ['archived', {}, 'archived'],
        ['draft', { to: 'archived' }, 'archived'],
        ['archived', { to: 'draft' }, 'draft'],
      ] as const) {
        const id = await posts.create({ title: 'One', status });

        const { body } = await step(id, 'unpublish', order);

        expect(body.data).toMatchObject({ status: after, version: status === after ? 1 : 2 });
      }
    });

    it('refuses to make it anything else', async () => {
      const id = await posts.create({ title: 'One', status: 'published' });

      for (const order of [{ to: 'published' }, { to: null }, { status: 'draft' }])
        expectError(await posts.post(`${id}/unpublish`, order), 'validation_failed');
    });

    it('asks for the right to publish, and for no other', async () => {
      const id = await posts.create({ title: 'One', status: 'published' });

      for (const token of [SECRETS.author, SECRETS.pages])
        expectError(await posts.post(`${id}/unpublish`, {}, token), 'insufficient_scope');
      await posts.post(`${id}/unpublish`, {}, SECRETS.publisher).expect(200);

      expect((await posts.get(id)).body.data.status).toBe('draft');
    });
  });
});
