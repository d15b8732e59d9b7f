import type { Response } from 'supertest';
import { routesOf } from '../support/routes.js';
import { API_TOKENS, startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

/** In every text of what must not be seen, but for its slug: an error may name the slug that was asked for. */
const CANARY = /canary/i;
const SLUG = 'hidden-slug';
const SECRETS = {
  narrow: 'test-narrow-token-0123456789',
  elsewhere: 'test-elsewhere-token-0123456789',
  writer: 'test-writer-token-0123456789',
  historian: 'test-historian-token-0123456789',
  updater: 'test-updater-token-0123456789',
};
const CALLERS = ['anonymous', 'reader', 'narrow', 'issued', 'elsewhere', 'writer', 'historian'] as const;
type CallerName = (typeof CALLERS)[number];

const STATES = ['draft', 'archived', 'unpublished again', 'draft in the trash', 'published in the trash'] as const;

describe('What is not published', () => {
  let service: TestApp;
  let issued: string;
  const hidden = new Map<string, { id: number; slug: string }>();
  let person: number;
  let article: number;

  const admin = async (method: 'post' | 'put' | 'delete', path: string, body: object = {}): Promise<Response> => {
    const answer = await service.http()[method](path).send(body);
    expect([path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([path, answer.status, '']);
    return answer;
  };

  beforeAll(async () => {
    service = await startTestApp({
      RATE_LIMITS: 'off',
      API_TOKENS: [
        API_TOKENS,
        `narrow=${SECRETS.narrow};records:read:article`,
        `elsewhere=${SECRETS.elsewhere};records:read drafts:read:page`,
        `updater=${SECRETS.updater};records:update records:publish`,
        `historian=${SECRETS.historian};records:read revisions:read`,
        `writer=${SECRETS.writer};records:read records:create records:update records:delete records:publish`,
      ].join(),
    });
    issued = (await admin('post', '/api/admin/tokens', { name: 'issued', scopes: ['records:read'] })).body.data.token;
    await admin('post', '/api/admin/types', { name: 'person', fields: [{ name: 'email', type: 'email' }] });
    await admin('post', '/api/admin/types', {
      name: 'article',
      fields: [
        { name: 'author', type: 'relation', to: ['person'] },
        { name: 'code', type: 'string', unique: true, indexed: true },
      ],
    });
    person = (await admin('post', '/api/cms/person', { title: 'Canary', email: 'canary@example.com' })).body.data.id;
    const author = { id: person, type: 'person' };
    article = (await admin('post', '/api/cms/article', { title: 'Seen', status: 'published', author })).body.data.id;
    await copy(article, { title: 'Canary', body: 'canary', code: 'canary', slug: `${SLUG}-of-a-copy` });
    for (const state of STATES) hidden.set(state, await hide(state));
  });

  afterAll(() => service.close());

  async function copy(id: number, body: object): Promise<void> {
    await service.http().patch(`/api/cms/article/${id}/draft`).set('If-Match', '*').send(body).expect(201);
  }

  async function hide(state: (typeof STATES)[number]): Promise<{ id: number; slug: string }> {
    const key = state.replaceAll(' ', '-');
    const slug = `${SLUG}-${key}`;
    const status = state === 'archived' ? 'archived' : state.startsWith('draft') ? 'draft' : 'published';
    const record = { title: `Canary ${key}`, body: 'canary', code: `canary-${key}`, slug, status };
    const { id } = (await admin('post', '/api/cms/article', record)).body.data;
    if (state === 'unpublished again') await admin('put', `/api/cms/article/${id}`, { status: 'draft' });
    await copy(id, { body: 'canary of a copy' });
    if (state.endsWith('trash')) await admin('delete', `/api/cms/article/${id}`);
    return { id, slug };
  }

  const as = (caller: CallerName | 'admin') =>
    caller === 'anonymous'
      ? service.anonymous()
      : service.http(caller === 'issued' ? issued : { ...TOKENS, ...SECRETS }[caller]);

  /** Every address that a GET can be sent to, with what is hidden in the place of every parameter. */
  function addresses(): string[] {
    const references = [...hidden.values()].flatMap(({ id, slug }) => [String(id), `slug:${slug}`]);
    const records = [
      ...references.map((id) => ['article', id]),
      ['person', String(person)],
      ['article', String(article)],
    ];
    return routesOf(service.app)
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path }) =>
        records.map(([type = '', id = '']) =>
          path.replace(':type', type).replace(':name', type).replace(':id', id).replace(/:\w+/g, '1'),
        ),
      );
  }

  const QUERIES = [
    '',
    '?status=draft',
    '?status=draft,archived',
    '?expand=author',
    '?fields=title',
    '?sort=title',
    '?per_page=100&count=none',
    '?filter[title][contains]=anar',
    `?filter[slug][starts]=${SLUG}`,
    '?filter[code][starts]=canar',
    '?filter[status][ne]=published',
  ];

  const answerText = ({ text, headers }: Response): string => `${text} ${JSON.stringify(headers)}`;

  it.each(CALLERS)('is in no answer of any GET route to %s', async (caller) => {
    const paths = [...new Set(addresses())];
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      for (const query of path.startsWith('/api/cms/') ? QUERIES : ['']) {
        const answer = await as(caller).get(path + query);
        const isBroken = answer.status >= 500 && answer.body.error !== 'provider_not_configured';
        expect([path + query, isBroken, CANARY.exec(answerText(answer))]).toEqual([path + query, false, null]);
        if (!path.includes(SLUG) && !query.includes(SLUG))
          expect([path, answerText(answer).includes(SLUG)]).toEqual([path, false]);
      }
    }
  });

  it('is in answers to those who may see it, so that this test would notice', async () => {
    const found = [];
    for (const query of QUERIES) found.push((await as('admin').get(`/api/cms/article${query}`)).text);
    for (const { id } of hidden.values()) found.push((await as('admin').get(`/api/cms/article/${id}`)).text);

    expect(found.filter((text) => CANARY.test(text)).length).toBeGreaterThan(8);
  });

  it('does not stand before a published record of the same slug in another language', async () => {
    await admin('put', '/api/admin/types/post', { url_path: '/post/{locale}/{slug}' });
    const shared = { title: 'Seen', slug: 'in-two-languages' };
    await admin('post', '/api/cms/post', { ...shared, locale: 'de', status: 'published' });
    await admin('post', '/api/cms/post', { ...shared, locale: 'en' });

    const seen = async (caller: CallerName | 'admin') =>
      (await as(caller).get('/api/cms/post/slug:in-two-languages')).body.data?.locale;

    expect([await seen('reader'), await seen('admin')]).toEqual(['de', 'en']);
  });

  it.each(CALLERS.slice(1))('is not counted for %s, whatever the list is narrowed by', async (caller) => {
    const total = async (query: string) => (await as(caller).get(`/api/cms/article${query}`)).body.meta?.total;

    expect(await total('')).toBe(1);
    expect(await total('?status=published,draft,archived')).toBe(1);
    for (const query of [
      '?status=draft',
      '?status=archived',
      '?filter[title][contains]=anar',
      `?filter[slug]=${SLUG}-draft`,
      '?filter[code]=canary-archived',
      '?filter[code][in]=canary-draft,canary-published-in-the-trash',
      '?filter[status]=draft',
      `?filter[id]=${hidden.get('draft')?.id ?? 0}`,
    ]) {
      expect([query, await total(query)]).toEqual([query, 0]);
    }
  });

  it.each(CALLERS.slice(1))('is not in the counts of its type for %s', async (caller) => {
    const { body } = await as(caller).get('/api/cms/types/article');

    if (body.data?.counts)
      expect({ draft: 0, archived: 0, ...body.data.counts }).toEqual({ draft: 0, published: 1, archived: 0 });
  });

  it.each(CALLERS.slice(1))(
    'is a reference and no more where it is the target of a relation, for %s',
    async (caller) => {
      const { body } = await as(caller).get(`/api/cms/article/${article}?expand=author`);

      expect(body.data.author).toEqual({ id: person, type: 'person' });
    },
  );

  /** An answer without what differs from request to request. */
  const essence = ({ status, body, headers }: Response, id: number) => ({
    status,
    error: body.error,
    message: String(body.message).replace(String(id), 'ID'),
    details: body.details,
    etag: headers.etag,
  });

  it.each(CALLERS)('looks to %s like what never was, whatever is tried with it', async (caller) => {
    const missing = 987_654;
    for (const [state, { id }] of hidden) {
      const attempts: [string, (target: number) => PromiseLike<Response>][] = [
        ['GET', (target) => as(caller).get(`/api/cms/article/${target}`)],
        ['GET 304', (target) => as(caller).get(`/api/cms/article/${target}`).set('If-None-Match', '"1", "2", *')],
        ['HEAD', (target) => as(caller).head(`/api/cms/article/${target}`)],
        ['PUT', (target) => as(caller).put(`/api/cms/article/${target}`).send({ title: 'Mine' })],
        [
          'PUT 412',
          (target) => as(caller).put(`/api/cms/article/${target}`).set('If-Match', '"99"').send({ title: 'Mine' }),
        ],
        ['PATCH', (target) => as(caller).patch(`/api/cms/article/${target}`).send({ status: 'published' })],
        ['DELETE', (target) => as(caller).delete(`/api/cms/article/${target}`)],
        ['restore', (target) => as(caller).post(`/api/cms/article/${target}/restore`)],
        ...(['publish', 'unpublish', 'draft/apply'] as const).map(
          (step): [string, (target: number) => PromiseLike<Response>] => [
            step,
            (target) => as(caller).post(`/api/cms/article/${target}/${step}`),
          ],
        ),
        [
          'PATCH of a copy',
          (target) =>
            as(caller).patch(`/api/cms/article/${target}/draft`).set('If-Match', '"99"').send({ title: 'Mine' }),
        ],
        ['DELETE of a copy', (target) => as(caller).delete(`/api/cms/article/${target}/draft`)],
        ['DELETE now', (target) => as(caller).delete(`/api/cms/article/${target}?permanent=true`)],
        ['other type', (target) => as(caller).get(`/api/cms/person/${target}`)],
      ];
      for (const [attempt, send] of attempts) {
        const [real, none] = [essence(await send(id), id), essence(await send(missing), missing)];
        expect({ state, attempt, ...real }).toEqual({ state, attempt, ...none });
      }
    }
  });

  it('is 404 and not 403 to those who may write but not see it', async () => {
    const { id } = hidden.get('draft') ?? { id: 0 };

    for (const method of ['put', 'patch', 'delete'] as const) {
      const { status, body } = await as('writer')[method](`/api/cms/article/${id}`).send({ title: 'Mine' });
      expect([method, status, body.error]).toEqual([method, 404, 'record_not_found']);
    }
    expect((await as('writer').get('/api/cms/article/-/trash')).status).toBe(403);
  });

  it('is not disclosed by the conflict with a value that must be unique', async () => {
    const post = (body: object) => as('writer').post('/api/cms/article').send(body);

    const [code, slug] = [
      await post({ title: 'x', code: 'canary-draft' }),
      await post({ title: 'x', slug: `${SLUG}-draft` }),
    ];

    for (const answer of [code, slug]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answerText(answer).replaceAll('canary-draft', '')).not.toMatch(CANARY);
      expect(answerText(answer)).not.toContain(`/${hidden.get('draft')?.id ?? 0}`);
    }
  });

  it('cannot be found out by relating to it', async () => {
    const relate = async (id: number) =>
      essence(
        await as('writer')
          .post('/api/cms/article')
          .send({ title: 'x', author: { id, type: 'person' } }),
        id,
      );

    expect({ ...(await relate(person)), details: [] }).toEqual({ ...(await relate(987_654)), details: [] });
  });

  it('is in no answer to a write of those who may write and not read', async () => {
    const record = { title: 'Canary of those who read', body: 'canary', status: 'published', code: 'canary-public' };
    const { id, updated_at: at } = (await admin('post', '/api/cms/article', record)).body.data;
    const updater = service.http(SECRETS.updater);
    const path = `/api/cms/article/${id}`;

    const answers = [
      await updater.get(path),
      await updater.get(`${path}/revisions`),
      await updater.put(path).send({}),
      await updater.patch(path).send({ author: null }),
      await updater.put(path).set('If-Match', '"99"').send({ title: 'x', body: 'x', code: 'x' }),
      await updater.post(`${path}/rollback/${Date.parse(at)}?dry_run=true`),
      await updater.post(`${path}/rollback/${Date.parse(at)}`),
      await updater.post(`${path}/rollback/${Math.floor(Date.parse(at) / 1_000)}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200, 200, 412, 403, 403, 403]);
    for (const answer of answers) expect(answerText(answer)).not.toMatch(CANARY);
    await admin('delete', `${path}?permanent=true`);
  });
});
