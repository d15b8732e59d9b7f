import type { Response } from 'supertest';
import { expectError } from '../../support/errors.js';
import { Historian } from '../../support/historian.js';
import { startTestApp, TOKENS, type TestApp } from '../../support/test-app.js';

const SECRETS = {
  updater: 'test-updater-token-0123456789',
  remover: 'test-remover-token-0123456789',
  restorer: 'test-restorer-token-0123456789',
  editor: 'test-unpublishing-editor-token-0123456789',
  author: 'test-author-token-0123456789',
} as const;
const API_TOKENS = [
  `admin=${TOKENS.admin}`,
  `updater=${SECRETS.updater};records:update records:publish:post`,
  `remover=${SECRETS.remover};records:delete records:publish drafts:read`,
  `restorer=${SECRETS.restorer};records:update records:publish revisions:read`,
  `editor=${SECRETS.editor};records:read records:update drafts:read revisions:read`,
  `author=${SECRETS.author};records:read records:create records:update_own drafts:read revisions:read`,
].join(',');

const PUBLISHED = { title: 'Public canary', body: 'Secret canary', status: 'published', terms: { tag: ['canary'] } };
const CANARY = /canary/i;

describe('Who writes', () => {
  let service: TestApp;
  let posts: Historian;

  beforeAll(async () => {
    service = await startTestApp({ API_TOKENS, RATE_LIMITS: 'off' });
    posts = new Historian(service);
  });
  afterAll(() => service.close());

  const put = (id: number, body: object, token: string, ifMatch?: string): PromiseLike<Response> => {
    const request = service.http(token).put(`/api/cms/post/${id}`).send(body);
    return ifMatch === undefined ? request : request.set('If-Match', ifMatch);
  };
  const textOf = ({ text, headers }: Response): string => text + JSON.stringify(headers);

  describe('but may not read', () => {
    it('is not shown the trash', async () => {
      const id = await posts.create(PUBLISHED);
      await service.http().delete(`/api/cms/post/${id}`).expect(204);

      const answer = await posts.get('-/trash', SECRETS.remover);

      expectError(answer, 'insufficient_scope');
      expect(textOf(answer)).not.toMatch(CANARY);
    });

    it('gets id, type, version, times and what was sent, as it is kept', async () => {
      const id = await posts.create(PUBLISHED);
      const whole = (await posts.get(id)).body.data;

      const nothing = await put(id, {}, SECRETS.updater);
      const title = await put(id, { title: 'Mine' }, SECRETS.updater);

      const { type, created_at } = whole;
      expect(nothing.body).toEqual({ data: { id, type, version: 1, created_at, updated_at: whole.updated_at } });
      expect(title.body.data).toEqual({
        ...{ id, type, version: 2, created_at, title: 'Mine' },
        updated_at: (await posts.get(id)).body.data.updated_at,
      });
      expect(title.headers.etag).toBe('"2"');
      for (const answer of [nothing, title]) expect(textOf(answer)).not.toMatch(CANARY);
    });

    it('sees of terms those of the taxonomies that were sent', async () => {
      const id = await posts.create({ ...PUBLISHED, terms: { tag: ['canary'] } });
      const { body } = await service.http().post('/api/cms/taxonomy').send({ type: 'category', name: 'Sent' });

      const answer = await put(id, { terms: { category: [body.data.id] } }, SECRETS.updater);

      expect(answer.body.data.terms).toEqual({ category: [{ id: body.data.id, slug: 'sent', name: 'Sent' }] });
      expect(textOf(answer)).not.toMatch(CANARY);
    });

    it('learns from a version conflict which version there is, and nothing of what it holds', async () => {
      const id = await posts.create(PUBLISHED);

      const answer = await put(id, { title: 'Mine', body: 'Mine' }, SECRETS.updater, '"7"');

      expectError(answer, 'version_conflict');
      expect(answer.body.details).toEqual([{ version: 1 }]);
      expect(textOf(answer)).not.toMatch(CANARY);
      expect((await put(id, { title: 'Mine' }, TOKENS.admin, '"7"')).body.details).toEqual([
        { version: 1, fields: { title: 'Public canary' } },
      ]);
    });

    it('restores without seeing what', async () => {
      const id = await posts.create(PUBLISHED);
      await service.http(SECRETS.remover).delete(`/api/cms/post/${id}`).expect(204);

      const answer = await posts.post(`${id}/restore`, {}, SECRETS.remover).expect(200);

      expect(Object.keys(answer.body.data)).toEqual(['id', 'type', 'version', 'created_at', 'updated_at']);
    });

    it('rolls back with the right to the history, and is shown what that shows', async () => {
      const id = await posts.create({ ...PUBLISHED, title: 'First' });
      await posts.update(id, { title: 'Second' });
      const [ts = 0] = await posts.times(id);

      const { body } = await posts.post(`${id}/rollback/${ts}`, {}, SECRETS.restorer).expect(200);

      expect(body.data).toMatchObject({ id, version: 3, title: 'First' });
      expect(body.data).not.toHaveProperty('body');
    });
  });

  describe('but may not see the history', () => {
    it.each([
      ['a dry run', '?dry_run=true'],
      ['a rollback', ''],
    ])('is refused %s, of whatever revision', async (_, query) => {
      const id = await posts.create(PUBLISHED);
      const [ts = 0] = await posts.times(id);
      const second = Math.floor(ts / 1_000);

      for (const which of [ts, second, 1, 'junk']) {
        const answer = await posts.post(`${id}/rollback/${which}${query}`, {}, SECRETS.updater);
        expectError(answer, 'insufficient_scope');
        expect(answer.body.details).toEqual([{ scope: 'revisions:read' }]);
        expect(textOf(answer)).not.toMatch(CANARY);
      }
    });
  });

  describe('but may not publish', () => {
    const CHANGES = [
      ['the title', { title: 'Mine' }],
      ['the body', { body: null }],
      ['the slug', { slug: 'another-address' }],
      ['the terms', { terms: { tag: null } }],
      ['the locale', { locale: 'de' }],
      ['the time of publishing', { published_at: '2020-01-01T00:00:00Z' }],
      ['the status', { status: 'archived' }],
    ] as const;

    it.each(CHANGES)('cannot change %s of what is public', async (_, change) => {
      const id = await posts.create(PUBLISHED);

      const answer = await put(id, change, SECRETS.editor);

      expectError(answer, 'insufficient_scope');
      expect(answer.body.details).toEqual([{ scope: 'records:publish' }]);
      expect((await posts.get(id)).body.data.version).toBe(1);
      await put(id, change, TOKENS.admin);
      expect((await posts.get(id)).body.data.version).toBe(2);
      await service.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);
    });

    it.each(CHANGES.slice(0, -2))('can change %s of a draft', async (_, change) => {
      const id = await posts.create({ ...PUBLISHED, status: 'draft' });

      const { status } = await put(id, change, SECRETS.editor);

      expect(status).toBe(200);
      await service.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);
    });

    it('may send what is there already, since that changes nothing', async () => {
      const id = await posts.create(PUBLISHED);

      const { status, body } = await put(id, { title: PUBLISHED.title, body: PUBLISHED.body }, SECRETS.editor);

      expect([status, body.data.version]).toEqual([200, 1]);
    });

    it('cannot roll back what is public', async () => {
      const id = await posts.create(PUBLISHED);
      await posts.update(id, { title: 'Second' });
      const [ts = 0] = await posts.times(id);

      expectError(await posts.post(`${id}/rollback/${ts}`, {}, SECRETS.editor), 'insufficient_scope');
      expectError(await posts.post(`${id}/rollback/${ts}?dry_run=true`, {}, SECRETS.editor), 'insufficient_scope');
    });

    it('changes own drafts as an author, and not what others have published of them', async () => {
      const create = await service.http(SECRETS.author).post('/api/cms/post').send({ title: 'My own' }).expect(201);
      const { id } = create.body.data as { id: number };
      await put(id, { title: 'Still mine' }, SECRETS.author);
      await posts.update(id, { status: 'published' });

      expectError(await put(id, { title: 'Now public' }, SECRETS.author), 'insufficient_scope');
      await posts.update(id, { status: 'draft' });
      expect((await put(id, { title: 'Mine again' }, SECRETS.author)).status).toBe(200);
    });
  });
});
