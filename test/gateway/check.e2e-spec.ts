import type { Response } from 'supertest';
import { readSettings } from '../../src/config/settings.js';
import { expectError } from '../support/errors.js';
import { aPerson, signedIn } from '../support/sign-in.js';
import { startTestApp, TOKENS, type TestApp } from '../support/test-app.js';
import { TokenIssuer } from '../support/token-issuer.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const subject = ({ headers }: Response) =>
  ['x-auth-subject', 'x-auth-role', 'x-auth-scopes'].map((name) => headers[name] as unknown);

describe('GET /api/auth/check', () => {
  let service: TestApp;
  let issuer: TokenIssuer;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    service = await startTestApp({ ...issuer.environment(), RATE_LIMITS: 'auth=1,bad_tokens=3' });
  });

  afterAll(async () => {
    await service.close();
    await issuer.stop();
  });

  it('says who may pass, in headers', async () => {
    const person = await aPerson(service, { role: 'editor' });
    const { token } = await signedIn(service, person);
    const foreign = await issuer.sign({ groups: ['admins'] });

    const [user, reader, admin] = await Promise.all(
      [token, TOKENS.reader, foreign].map((one) => service.http(one).get('/api/auth/check').expect(204)),
    );

    expect(subject(user as Response)).toEqual([
      `user:${person.id}`,
      'editor',
      expect.stringContaining('records:publish'),
    ]);
    expect(subject(reader as Response)).toEqual(['token:reader', '', 'records:read']);
    expect(subject(admin as Response)).toEqual([expect.stringMatching(/^user:\d+$/), 'admin', '*']);
    expect([user?.text, user?.headers['cache-control']]).toEqual(['', 'no-store']);
  });

  it('asks for a scope', async () => {
    const check = (scope: string) => service.http(TOKENS.reader).get(`/api/auth/check?scope=${scope}`);

    await check('records:read').expect(204);
    await check('records:read:post').expect(204);
    expectError(await check('records:update'), 'insufficient_scope');
    expectError(await check('records:update:post'), 'insufficient_scope');
    expectError(await check('*'), 'insufficient_scope');
    expectError(await check('nonsense'), 'invalid_query');
    expectError(await check(''), 'invalid_query');
  });

  it('lets no one pass by a mistyped name or a second scope', async () => {
    const ask = (rest: string) => service.http(TOKENS.reader).get(`/api/auth/check${rest}`);

    for (const query of ['?scopes=users:write', '?Scope=users:write', '?scope=records:read&scope=users:write']) {
      expectError(await ask(query), 'invalid_query');
    }
    // So Envoy asks for `/` of its client.
    await ask('/?page=2&page=3').expect(204);
    expectError(await ask('/?scope=records:read&scope=users:write'), 'insufficient_scope');
  });

  it.each(METHODS)('answers %s below it, whatever comes behind', async (method) => {
    for (const path of ['/a', '/a/b.html', '/api/cms/post?scope=openid&scope=x', '/%2e%2e/x', '/a/']) {
      const answer = await service.http(TOKENS.reader)[method](`/api/auth/check${path}`).expect(204);
      expect(answer.headers['x-auth-subject']).toBe('token:reader');
    }
    await service.http(TOKENS.reader).head('/api/auth/check').expect(204);
    await service.http(TOKENS.reader).post('/api/auth/check/a').send({ any: 'body' }).expect(204);
  });

  it.each(METHODS)('answers %s for the path / of a client, and lets no one pass by the method', async (method) => {
    const ask = (path: string) => service.http(TOKENS.reader)[method](path);

    const answer = await ask('/api/auth/check/?page=2').expect(204);

    expect(answer.headers['x-auth-subject']).toBe('token:reader');
    expectError(await service.anonymous()[method]('/api/auth/check/'), 'unauthorized');
    expectError(await ask('/api/auth/check?scope=users:write'), 'insufficient_scope');
    expectError(await ask('/api/auth/check/?scope=users:write'), 'insufficient_scope');
    expectError(await ask('/api/auth/check?scopes=users:write'), 'invalid_query');
  });

  it('lets no OPTIONS pass, whatever pages of other origins may ask elsewhere', async () => {
    const origin = 'https://console.example.com';
    const other = await startTestApp({ CORS_ORIGINS: origin });
    const preflight = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
    try {
      for (const path of ['', '/', '/any/path']) {
        expectError(await other.anonymous().options(`/api/auth/check${path}`), 'method_not_allowed');
        expectError(await other.anonymous().options(`/api/auth/check${path}`).set(preflight), 'method_not_allowed');
      }
      const elsewhere = await other.anonymous().options('/api/auth/me').set(preflight).expect(204);
      expect(elsewhere.headers['access-control-allow-origin']).toBe(origin);
      const got = await other.http(TOKENS.reader).get('/api/auth/check').set('Origin', origin).expect(204);
      expect(got.headers['access-control-allow-origin']).toBe(origin);
    } finally {
      await other.close();
    }
  });

  it('names a token of the configuration in ASCII, whatever it is called', async () => {
    const secret = 'a-secret-of-24-characters-or-more';
    const other = await startTestApp({ API_TOKENS: `čtečka 100%=${secret};records:read` });
    try {
      const { headers } = await other.http(secret).get('/api/auth/check').expect(204);

      expect(headers['x-auth-subject']).toBe('token:%C4%8Dte%C4%8Dka 100%25');
    } finally {
      await other.close();
    }
  });

  it('draws from no budget but that of tokens that are not valid', async () => {
    for (let n = 0; n < 20; n += 1) await service.http(TOKENS.reader).get('/api/auth/check').expect(204);
    for (let n = 0; n < 5; n += 1) expectError(await service.anonymous().get('/api/auth/check'), 'unauthorized');
    for (let n = 0; n < 3; n += 1) expectError(await service.http('bad').get('/api/auth/check/x'), 'invalid_token');

    expectError(await service.http('bad').get('/api/auth/check'), 'too_many_requests');
    await service.http(TOKENS.reader).get('/api/auth/check').expect(204);
  });
});

const SECRET = 'k7Jd02mQx94LpTz8VwBn3RyHs6GfC1eA';
const USERS = { groups: { map: { admins: 'admin', readers: 'viewer' } } };
const GATEWAY = { TRUST_PROXY: '127.0.0.0/8', GATEWAY_SECRET: SECRET, GATEWAY_USERS: JSON.stringify(USERS) };
const NAMED = {
  'X-Gateway-Secret': SECRET,
  'X-Forwarded-User': 'ann',
  'X-Forwarded-Email': 'ann@example.com',
  'X-Forwarded-Groups': 'staff, readers',
};

describe('Headers in which a gateway names its user', () => {
  let service: TestApp;

  beforeAll(async () => {
    const GATEWAY_USERS = JSON.stringify({ ...USERS, auth_time: true });
    service = await startTestApp({ ...GATEWAY, GATEWAY_USERS, RATE_LIMITS: 'off' });
  });

  afterAll(() => service.close());

  const me = (headers: Record<string, string>) => service.anonymous().get('/api/auth/me').set(headers);

  it('let in that user, with the role of the groups', async () => {
    const reader = (await me(NAMED).expect(200)).body.data;
    const admin = (await me({ ...NAMED, 'X-Forwarded-Groups': 'readers,admins' }).expect(200)).body.data;

    expect(reader.user).toMatchObject({ name: 'ann', email: expect.stringMatching(/@gateway\.invalid$/) });
    expect([admin.user.id, admin.scopes]).toEqual([reader.user.id, ['*']]);
    expectError(await me({ ...NAMED, 'X-Forwarded-Groups': 'staff' }), 'role_not_granted');
    expectError(await service.anonymous().get('/api/auth/sessions').set(NAMED), 'no_session');
  });

  it('are what caches tell answers apart by, which only the browser of that user may keep', async () => {
    const { headers } = await service.anonymous().get('/api/cms/post').set(NAMED).expect(200);
    const unchanged = await service
      .anonymous()
      .get('/api/cms/post')
      .set({ ...NAMED, 'If-None-Match': String(headers.etag) })
      .expect(304);

    const vary =
      'Authorization, x-gateway-secret, x-forwarded-user, x-forwarded-email, x-forwarded-groups, x-forwarded-auth-time';
    expect(headers).toMatchObject({ vary, 'cache-control': 'private, no-cache' });
    expect(unchanged.headers).toMatchObject({ vary, 'cache-control': 'private, no-cache' });
    expect((await me(NAMED).expect(200)).headers['cache-control']).toBe('no-store');
    expect((await me({ ...NAMED, 'X-Forwarded-Groups': 'staff' })).headers['cache-control']).toBe('no-store');
  });

  it.each<[string, Record<string, string>]>([
    ['no secret', { ...NAMED, 'X-Gateway-Secret': '' }],
    ['another secret', { ...NAMED, 'X-Gateway-Secret': SECRET.toLowerCase() }],
    ['a secret that begins so', { ...NAMED, 'X-Gateway-Secret': SECRET.slice(0, -1) }],
    ['no user', { 'X-Gateway-Secret': SECRET, 'X-Forwarded-Groups': 'admins' }],
    ['a user with a space', { ...NAMED, 'X-Forwarded-User': 'ann root' }],
  ])('are nothing with %s', async (_, headers) => {
    expectError(await me(headers), 'unauthorized');
  });

  it('are nothing beside a token, good or bad', async () => {
    expectError(await me({ ...NAMED, Authorization: 'Bearer bad' }), 'invalid_token');
    const { body } = await me({ ...NAMED, Authorization: `Bearer ${TOKENS.reader}` }).expect(200);
    expect(body.data.user).toBeNull();
  });

  it('count beside what a browser sends to a gateway that asks for a password', async () => {
    const { body } = await me({ ...NAMED, Authorization: 'Basic YW5uOng=' }).expect(200);

    expect(body.data.user).toMatchObject({ name: 'ann' });
  });

  it.each([
    ['X-Forwarded-User', ['ann', 'root']],
    ['X-Forwarded-Groups', ['readers', 'admins']],
    ['X-Forwarded-Auth-Time', ['1764338932', '1764338932']],
    ['X-Gateway-Secret', [SECRET, SECRET]],
  ])('are refused where %s was sent twice', async (name, values) => {
    const answer = await me({ ...NAMED, [name]: values as never });

    expectError(answer, 'malformed_request');
  });

  it.each([
    ['readers,"x, admins ,y"', ['records:read']],
    ['readers,"x,admins"', ['records:read']],
    ['"say \\"hi\\", admins",readers', ['records:read']],
    ['"admins"', ['*']],
    [' "x" , admins,', ['*']],
    ['it\'s 5", readers', ['records:read']],
  ])('have one group of what stands in quotes: %s', async (groups, scopes) => {
    const { body } = await me({ ...NAMED, 'X-Forwarded-Groups': groups }).expect(200);

    expect(body.data.scopes).toEqual(scopes);
  });

  it('name groups in UTF-8', async () => {
    const map = { Čtenáři: 'editor', café: 'viewer' };
    const other = await startTestApp({ ...GATEWAY, GATEWAY_USERS: JSON.stringify({ groups: { map } }) });
    const scopesOf = async (groups: Buffer) => {
      const headers = { ...NAMED, 'X-Forwarded-Groups': groups.toString('latin1') };
      const { body } = await other.anonymous().get('/api/auth/me').set(headers).expect(200);
      return body.data.scopes as string[];
    };
    try {
      expect(await scopesOf(Buffer.from('Čtenáři'))).toContain('records:publish');
      expect(await scopesOf(Buffer.from('café'))).toEqual(['records:read']);
      expect(await scopesOf(Buffer.from('café', 'latin1'))).toEqual(['records:read']);
    } finally {
      await other.close();
    }
  });

  it('name the same user in large and small letters where the setting says so', async () => {
    const folding = await startTestApp({ ...GATEWAY, GATEWAY_USERS: JSON.stringify({ ...USERS, ignore_case: true }) });
    const idOf = async (app: TestApp, user: string) => {
      const answer = await app
        .anonymous()
        .get('/api/auth/me')
        .set({ ...NAMED, 'X-Forwarded-User': user });
      return answer.body.data.user.id as number;
    };
    try {
      expect(await idOf(folding, 'LEAVER')).toBe(await idOf(folding, 'leaver'));
      expect(await idOf(service, 'LEAVER')).not.toBe(await idOf(service, 'leaver'));
    } finally {
      await folding.close();
    }
  });

  it.each(['readers,"x, admins', 'readers, "x, admins', '"x"admins, admins', '"readers\\'])(
    'are refused with quotes that do not close: %s',
    async (groups) => {
      expectError(await me({ ...NAMED, 'X-Forwarded-Groups': groups }), 'malformed_request');
    },
  );

  it('do not let pages of others write with the cookie of the gateway', async () => {
    const admin = { ...NAMED, 'X-Forwarded-Groups': 'admins' };
    const post = (headers: Record<string, string>) =>
      service
        .anonymous()
        .post('/api/cms/post')
        .set({ ...admin, ...headers })
        .send({ title: 'x' });

    expectError(await post({ 'Sec-Fetch-Site': 'cross-site' }), 'csrf_rejected');
    expectError(await post({ Origin: 'https://evil.example' }), 'csrf_rejected');
    expectError(await post({ Origin: 'null' }), 'csrf_rejected');
    expect((await post({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(201);
    expect((await post({})).status).toBe(201);
  });

  it('are nothing from an address outside of the networks, and where they are not set up', async () => {
    const elsewhere = await startTestApp({ ...GATEWAY, TRUST_PROXY: '10.0.0.0/8' });
    const plain = await startTestApp({ TRUST_PROXY: '127.0.0.0/8' });
    for (const one of [elsewhere, plain]) {
      expectError(
        await one
          .anonymous()
          .get('/api/auth/me')
          .set({ ...NAMED, 'X-Forwarded-For': '127.0.0.1' }),
        'unauthorized',
      );
      await one.close();
    }
  });

  it.each<[string, Record<string, string>, string]>([
    ['a secret that is short', { GATEWAY_SECRET: 'x7Jd02mQx94' }, '32 bytes or more'],
    ['a secret that can be guessed', { GATEWAY_SECRET: 'a'.repeat(40) }, '32 bytes or more'],
    ['a number of hops', { TRUST_PROXY: '1' }, 'TRUST_PROXY with the networks'],
    ['no networks', { TRUST_PROXY: '' }, 'TRUST_PROXY with the networks'],
    ['no users', { GATEWAY_USERS: '' }, 'set both, or none'],
    ['no secret', { GATEWAY_SECRET: '' }, 'set both, or none'],
    ['users that are no JSON', { GATEWAY_USERS: 'x' }, 'GATEWAY_USERS must be JSON'],
    ['a case that is no flag', { GATEWAY_USERS: '{"ignore_case":"yes"}' }, 'ignore_case must be true or false'],
    ['a freshness that is no flag', { GATEWAY_USERS: '{"fresh":"yes"}' }, 'fresh must be true or false'],
    ['a field that is not known', { GATEWAY_USERS: '{"issuer":"x"}' }, 'has issuer'],
  ])('cannot be set up with %s', (_, settings, sentence) => {
    expect(() => readSettings('test', { ...GATEWAY, ...settings })).toThrow(sentence);
  });
});
