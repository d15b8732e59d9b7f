import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { expectError } from '../support/errors.js';
import { Historian, type RevisionDetails } from '../support/historian.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const HISTORIAN = 'test-historian-token-0123456789';
const API_TOKENS = [
  `admin=${TOKENS.admin}`,
  `reader=${TOKENS.reader};records:read drafts:read`,
  `historian=${HISTORIAN};revisions:read:post drafts:read`,
].join(',');

describe('The history of a record', () => {
  let service: TestApp;
  let historian: Historian;

  beforeAll(async () => {
    service = await startTestApp({ API_TOKENS, RATE_LIMITS: 'off' });
    historian = new Historian(service);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  describe('GET /api/cms/{type}/{id}/revisions', () => {
    it('has one revision for each write that changed something, the newest first', async () => {
      const id = await historian.create({ title: 'One' });
      await historian.update(id, { title: 'Two' });
      await historian.update(id, { title: 'Two' });
      await historian.update(id, { status: 'published' });
      await historian.update(id, { body: 'Text', title: 'Three' });
      await historian.update(id, { status: 'archived' });
      await service.http().delete(`/api/cms/post/${id}`).expect(204);
      await service.http().post(`/api/cms/post/${id}/restore`).expect(200);

      const history = await historian.history(id);

      expect(history.map(({ version, action, changed }) => [version, action, changed])).toEqual([
        [7, 'restore', []],
        [5, 'unpublish', ['status']],
        [4, 'update', ['title', 'body']],
        [3, 'publish', ['status', 'published_at']],
        [2, 'update', ['title']],
        [1, 'create', ['title', 'slug', 'status', 'locale']],
      ]);
      expect(history.map(({ current }) => current)).toEqual([true, false, false, false, false, false]);
      expect(history[0]).toEqual({
        ts: Date.parse(history[0]?.created_at ?? ''),
        created_at: (await historian.get(String(id))).body.data.updated_at,
        version: 7,
        action: 'restore',
        status: 'archived',
        title: 'Three',
        changed: [],
        author: { kind: 'token', id: null, name: 'admin' },
        rollback_of: null,
        current: true,
        size_bytes: expect.any(Number),
      });
    });

    it('comes in pages', async () => {
      const id = await historian.create({ title: 'v1' });
      for (let version = 2; version <= 5; version += 1) await historian.update(id, { title: `v${version}` });

      const { body } = await historian.get(`${id}/revisions?per_page=2&page=2`).expect(200);
      const beyond = await historian.get(`${id}/revisions?page=9`).expect(200);

      expect(body.data.map(({ title }: RevisionDetails) => title)).toEqual(['v3', 'v2']);
      expect(body.data.map(({ current }: RevisionDetails) => current)).toEqual([false, false]);
      expect(body.meta).toEqual({ total: 5, per_page: 2, current_page: 2, last_page: 3 });
      expect(beyond.body).toMatchObject({ data: [], meta: { total: 5 } });
      expectError(await historian.get(`${id}/revisions?page=0`), 'invalid_query');
      expectError(await historian.get(`${id}/revisions?sort=ts`), 'invalid_query');
    });

    it('takes the scope, and a record that is there', async () => {
      const id = await historian.create({ title: 'Kept' });

      expectError(await historian.get(`${id}/revisions`, TOKENS.reader), 'insufficient_scope');
      await historian.get(`${id}/revisions`, HISTORIAN).expect(200);
      expectError(await service.http(HISTORIAN).get('/api/cms/page/1/revisions'), 'insufficient_scope');
      expectError(await historian.get('99999/revisions'), 'record_not_found');
      expectError(await service.http().get('/api/cms/search/1/revisions'), 'type_not_found');
      await service.http().delete(`/api/cms/post/${id}`).expect(204);
      for (const path of ['revisions', 'revisions/1', 'revisions/1/diff']) {
        expectError(await historian.get(`${id}/${path}`), 'record_not_found');
      }
    });

    it('goes with a record that is removed for good', async () => {
      const id = await historian.create({ title: 'Gone' });
      await service.http().delete(`/api/cms/post/${id}?permanent=true`).expect(204);

      const rows = await service.app.get(DataSource).query('SELECT ts FROM revisions WHERE record_id = ?', [id]);

      expect(rows).toEqual([]);
    });
  });

  describe('ts', () => {
    it('is unique and increasing while the clock stands still and steps back', async () => {
      const clock = jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(2_000_000_000_000);
      const id = await historian.create({ title: 'v1' });
      for (const now of [
        2_000_000_000_000, 2_000_000_000_000, 1_000_000_000_000, 1_999_999_999_999, 2_000_000_000_500,
      ]) {
        clock.mockReturnValue(now);
        await historian.update(id, { title: `at ${now} ${Math.random()}` });
      }

      const times = (await historian.history(id)).map(({ ts }) => ts - 2_000_000_000_000);

      expect(times).toEqual([500, 4, 3, 2, 1, 0]);
    });

    it('is unique and increasing for 50 writes at once', async () => {
      const id = await historian.create({ title: 'Raced' });

      await Promise.all(Array.from({ length: 50 }, (_, n) => historian.update(id, { title: `Raced ${n}` })));

      const history = await historian.history(id);
      expect(history).toHaveLength(51);
      expect(history.map(({ version }) => version)).toEqual(Array.from({ length: 51 }, (_, n) => 51 - n));
      expect(new Set(history.map(({ ts }) => ts)).size).toBe(51);
      expect(history.map(({ ts }) => ts)).toEqual(history.map(({ ts }) => ts).toSorted((a, b) => b - a));
    });

    it('is found in ISO 8601, and by its second where only one revision lies in it', async () => {
      jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(3_000_000_000_123);
      const id = await historian.create({ title: 'First' });
      jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(3_000_000_001_456);
      await historian.update(id, { title: 'Second' });
      const title = async (ts: string) => (await historian.get(`${id}/revisions/${ts}`)).body.data?.snapshot.title;

      expect(await title('3000000000123')).toBe('First');
      expect(await title(new Date(3_000_000_000_123).toISOString())).toBe('First');
      expect(await title('2065-01-24T07:20:01.456%2B02:00')).toBe('Second');
      expect(await title('3000000000')).toBe('First');
      await historian.update(id, { title: 'Third' });
      const twice = await historian.get(`${id}/revisions/3000000001`);
      expectError(twice, 'ambiguous_revision');
      expect(twice.body.details).toEqual([{ ts: 3_000_000_001_456 }, { ts: 3_000_000_001_457 }]);
    });

    it.each(['1', '3000000002', 'yesterday', '2026-13-01T00:00:00Z', '-1', '1e12', '99999999999999999', '%00', 'null'])(
      'that is %s is not found',
      async (ts) => {
        const id = await historian.create({ title: 'x' });

        expectError(await historian.get(`${id}/revisions/${ts}`), 'revision_not_found');
        expectError(await historian.get(`${id}/revisions/${ts}/diff`), 'revision_not_found');
      },
    );
  });

  describe('GET /api/cms/{type}/{id}/revisions/{ts}', () => {
    it('has the whole state, each as it was, in any order of reading', async () => {
      const bodies = Array.from(
        { length: 45 },
        (_, n) => `${'The same text. '.repeat(100)} Number ${n} ${'x'.repeat(n)}`,
      );
      const id = await historian.create({ title: 'v0', body: bodies[0] });
      for (const body of bodies.slice(1)) await historian.update(id, { body });
      const history = await historian.history(id);

      expect(history).toHaveLength(45);
      for (const n of [44, 0, 20, 19, 21, 39, 40, 41, 1]) {
        const ts = history[44 - n]?.ts ?? 0;
        const { body } = await historian.get(`${id}/revisions/${ts}`).expect(200);
        expect(body.data.snapshot).toEqual({
          title: 'v0',
          slug: expect.stringMatching(/^v0/),
          body: bodies[n],
          status: 'draft',
          locale: 'en',
          published_at: null,
          terms: {},
        });
      }
    });

    it('keeps the names that fields had then', async () => {
      const type = await service
        .http()
        .post('/api/admin/types')
        .send({
          name: 'film',
          fields: [
            { name: 'length', type: 'integer' },
            { name: 'genre', type: 'string' },
          ],
        })
        .expect(201);
      const { body } = await service
        .http()
        .post('/api/cms/film')
        .send({ title: 'Metropolis', length: 153, genre: 'sf' });
      const [length] = type.body.data.fields;
      await service
        .http()
        .put('/api/admin/types/film?confirm=film')
        .send({ fields: [{ ...length, name: 'minutes' }] })
        .expect(200);
      const path = `/api/cms/film/${body.data.id}`;
      await service.http().put(path).send({ minutes: 148 }).expect(200);

      const { data } = (await service.http().get(`${path}/revisions`)).body;
      const one = async (ts: number) => (await service.http().get(`${path}/revisions/${ts}`)).body.data.snapshot;

      expect(data[0].changed).toEqual(['minutes']);
      expect(await one(data[1].ts)).toMatchObject({ length: 153, genre: 'sf' });
      expect(await one(data[0].ts)).toMatchObject({ minutes: 148 });
      const diff = await service.http().get(`${path}/revisions/${data[0].ts}/diff`).expect(200);
      expect(diff.body.data.changes).toEqual([{ field: 'minutes', kind: 'field', from: 153, to: 148 }]);
    });

    it('answers 304 while nothing has changed', async () => {
      const id = await historian.create({ title: 'Same' });
      const { headers } = await historian.get(`${id}/revisions`);

      await historian
        .get(`${id}/revisions`)
        .set('If-None-Match', headers.etag ?? '')
        .expect(304);
    });
  });
});
