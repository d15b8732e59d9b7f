import type { Response } from 'supertest';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const SAFE = {
  'content-security-policy': "default-src 'none'; object-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

describe('Headers of answers', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp();
    await service.http().post('/api/cms/post').send({ title: 'Hello', slug: 'hello', status: 'published' }).expect(201);
  });

  afterAll(() => service.close());

  it.each<[string, () => PromiseLike<Response>]>([
    ['200', () => service.http().get('/api/cms/post')],
    ['201', () => service.http().post('/api/cms/post').send({ title: 'x' })],
    ['304', () => service.http().get('/api/cms/post/slug:hello').set('If-None-Match', '"1"')],
    ['400', () => service.http().post('/api/cms/post').set('Content-Type', 'application/json').send('{')],
    ['401', () => service.anonymous().get('/api/cms/post')],
    ['403', () => service.http(TOKENS.reader).get('/api/admin/tokens')],
    ['404', () => service.http().get('/nothing')],
    ['405', () => service.http().post('/health/live')],
    [
      '413',
      () =>
        service
          .http()
          .post('/api/cms/post')
          .send({ title: 'x'.repeat(4_194_305) }),
    ],
    ['414', () => service.http().get(`/${'x'.repeat(9_000)}`)],
    ['415', () => service.http().post('/api/cms/post').type('text').send('x')],
    ['422', () => service.http().post('/api/cms/post').send({})],
  ])('are safe on a %s', async (status, ask) => {
    const answer = await ask();

    expect(String(answer.status)).toBe(status);
    expect(answer.headers).toMatchObject(SAFE);
    expect(answer.headers['x-request-id']).toMatch(UUID);
    expect(Object.keys(answer.headers)).not.toContain('x-powered-by');
    expect(Object.keys(answer.headers)).not.toContain('server');
    expect(answer.headers['cache-control']).toMatch(/^(private, no-cache|no-store)$/);
  });

  it('have the request id that the client sent, and a new one instead of one with other characters than ids have', async () => {
    const idFor = async (id: string) =>
      (await service.anonymous().get('/health/live').set('X-Request-Id', id)).headers['x-request-id'];

    for (const id of ['a', 'x'.repeat(128), '6f1b-_.:', 'Root=1/aGk+']) expect(await idFor(id)).toBe(id);
    for (const id of ['', 'x'.repeat(129), 'two words', 'tab\there', 'ünïcode', 'a, b', '<script>', '{"a":1}', '~!']) {
      expect(await idFor(id)).toMatch(UUID);
    }
  });

  it('have the request id of the body of an error', async () => {
    const answer = await service.anonymous().get('/nothing').set('X-Request-Id', 'mine');

    expect([answer.headers['x-request-id'], answer.body.request_id]).toEqual(['mine', 'mine']);
  });

  it.each([
    '/api/cms/post',
    '/api/cms/post/slug:hello',
    '/api/cms/post/99999',
    '/nothing',
    '/health/live',
    '/api/openapi.json',
  ])('are the same for HEAD %s as for GET, without a body', async (path) => {
    const volatile = { date: '', 'x-request-id': '' };
    const [get, head] = [await service.http().get(path), await service.http().head(path)];

    expect(head.status).toBe(get.status);
    expect({ ...head.headers, ...volatile }).toEqual({
      ...get.headers,
      ...volatile,
    });
    expect(head.body).toEqual({});
  });
});

describe('A validator to which a gateway has added what it packs by', () => {
  it('is held', async () => {
    const service = await startTestApp();
    const { body } = await service.http().post('/api/cms/post').send({ title: 'Packed' }).expect(201);

    const answer = await service.http().get(`/api/cms/post/${body.data.id}`).set('If-None-Match', 'W/"1-gzip"');
    await service.close();

    expect([answer.status, answer.headers.etag]).toEqual([304, '"1"']);
  });
});

describe('Cross-origin requests', () => {
  const ORIGIN = 'https://app.example.com';
  let service: TestApp;
  let closed: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ CORS_ORIGINS: `${ORIGIN},https://www.example.com:8443` });
    closed = await startTestApp();
  });

  afterAll(() => Promise.all([service.close(), closed.close()]));

  const preflight = (target: TestApp, origin: string) =>
    target.anonymous().options('/api/cms/post').set({
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,x-tenant',
    });

  it('are not allowed as long as no origin is set', async () => {
    const [simple, asked] = [
      await closed.http().get('/api/cms/post').set('Origin', ORIGIN),
      await preflight(closed, ORIGIN),
    ];

    expect(asked.status).toBe(405);
    expect(JSON.stringify([simple.headers, asked.headers])).not.toMatch(/access-control/i);
  });

  it('are allowed from an origin that is set, and may read the headers that matter', async () => {
    for (const origin of [ORIGIN, 'https://www.example.com:8443']) {
      const { headers } = await service.http().get('/api/cms/post').set('Origin', origin);

      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-expose-headers']).toBe(
        'ETag,Idempotent-Replayed,Link,Location,RateLimit-Limit,RateLimit-Remaining,RateLimit-Reset,Retry-After,Service-Tokens,X-Request-Id',
      );
      // Consoles may keep their refresh token in a cookie.
      expect(headers['access-control-allow-credentials']).toBe('true');
      expect(headers.vary).toMatch(/Origin/);
    }
  });

  it('may read errors, too', async () => {
    const { headers, status } = await service.anonymous().get('/api/cms/post').set('Origin', ORIGIN);

    expect([status, headers['access-control-allow-origin']]).toEqual([401, ORIGIN]);
    expect(headers.vary).toMatch(/Origin/);
  });

  it('are asked for with a preflight that needs no credential, and may send any header', async () => {
    const { status, headers } = await preflight(service, ORIGIN);

    expect(status).toBe(204);
    expect(headers).toMatchObject({ ...SAFE, 'access-control-allow-origin': ORIGIN, 'access-control-max-age': '600' });
    expect(headers['access-control-allow-methods']).toMatch(/POST/);
    expect(headers['access-control-allow-headers']).toBe('authorization,x-tenant');
    expect(headers.vary).toBe('Origin, Access-Control-Request-Headers');
  });

  it.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:444',
    'https://APP.example.com',
    'null',
    '*',
  ])('are not allowed from %s', async (origin) => {
    for (const answer of [
      await service.http().get('/api/cms/post').set('Origin', origin),
      await preflight(service, origin),
    ]) {
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('Strict-Transport-Security', () => {
  it.each([
    ['https://cms.example.com', 'max-age=31536000'],
    ['http://localhost:3000', undefined],
  ])('at %s is %s', async (PUBLIC_URL, wanted) => {
    const service = await startTestApp({ PUBLIC_URL });

    const answers = [
      await service.anonymous().get('/health/live').expect(200),
      await service.anonymous().get('/api/docs').expect(200),
      await service.anonymous().get('/api/cms/post').expect(401),
    ];

    expect(answers.map(({ headers }) => headers['strict-transport-security'] as unknown)).toEqual([
      wanted,
      wanted,
      wanted,
    ]);
    await service.close();
  });
});
