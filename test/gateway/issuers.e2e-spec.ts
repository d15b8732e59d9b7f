import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../src/config/settings.js';
import { putClockAhead, putMonotonicClockAhead } from '../support/clock.js';
import { expectError } from '../support/errors.js';
import { aPerson } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey, TokenIssuer } from '../support/token-issuer.js';

describe('A trusted issuer', () => {
  let issuer: TokenIssuer;
  let service: TestApp;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
  });

  beforeEach(() => {
    issuer.answering = null;
    issuer.asked = 0;
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  afterAll(() => issuer.stop());

  const start = async (rules: object = {}) => {
    service = await startTestApp({ ...issuer.environment(rules), RATE_LIMITS: 'off' });
  };
  const me = (token: string) => service.http(token).get('/api/auth/me');
  const scopesOf = async (claims: object) =>
    (await me(await issuer.sign(claims as never)).expect(200)).body.data.scopes;

  it('gives the strongest role of all groups, and keeps out who has none', async () => {
    await start();

    expect(await scopesOf({ groups: ['readers', 'admins', 'other'] })).toEqual(['*']);
    expect(await scopesOf({ groups: 'readers' })).toContain('records:read');
    for (const groups of [[], ['other'], undefined, ['Admins'], [7], { admins: true }]) {
      expectError(await me(await issuer.sign({ groups })), 'role_not_granted');
    }
  });

  it('gives others the default role, where there is one, and finds groups in a path', async () => {
    await start({ default_role: 'viewer', groups: { claim: 'realm_access.roles', map: { boss: 'admin' } } });

    expect(await scopesOf({ realm_access: { roles: ['boss'] } })).toEqual(['*']);
    expect(await scopesOf({})).toContain('records:read');
  });

  it('has role and scopes both allow what a token may do', async () => {
    await start({ scopes: { claim: 'scope', prefix: 'cms:' } });

    expect(
      await scopesOf({ scope: 'openid cms:records:read cms:users:write cms:records:update:post other:*' }),
    ).toEqual(['records:read', 'records:update:post']);
    expect(await scopesOf({ scope: ['cms:users:read'], groups: ['admins'] })).toEqual(['users:read']);
    expect(await scopesOf({ scope: 'cms:*' })).toEqual(await scopesOf({ scope: 'cms:* cms:records:read' }));
    expect(await scopesOf({ scope: 'records:read' })).toEqual([]);
    expect(await scopesOf({})).toEqual([]);
  });

  it('makes one account for a subject, whose address counts only if it is verified and free', async () => {
    await start({ email_trusted: true });
    const old = await aPerson(service, { email: 'old@example.com' });
    const accountOf = async (claims: object) =>
      (await me(await issuer.sign(claims as never)).expect(200)).body.data.user;

    const together = await Promise.all(
      Array.from({ length: 5 }, () =>
        accountOf({ sub: 'new', name: 'New', email: 'new@example.com', email_verified: true }),
      ),
    );
    const unverified = await accountOf({ sub: 'b', email: 'b@example.com', email_verified: false });
    const taken = await accountOf({ sub: 'c', email: 'OLD@example.com', email_verified: true });

    expect(new Set(together.map(({ id }: { id: number }) => id)).size).toBe(1);
    expect(together[0]).toMatchObject({ name: 'New', email: 'new@example.com', role: 'editor' });
    expect(unverified.email).toMatch(/^[0-9a-f]{32}@corp\.invalid$/);
    expect(taken.email).toMatch(/@corp\.invalid$/);
    expect(taken.id).not.toBe(old.id);
    // Capitals make another subject.
    expect((await accountOf({ sub: 'NEW' })).id).not.toBe(together[0].id);
    const { body } = await service.http().get('/api/admin/audit?event=user.created').expect(200);
    const made = (body.data as { provider: string | null }[]).filter(({ provider }) => provider === 'jwt:corp');
    expect(made).toHaveLength(4);
  });

  it('lets in known people only, where it is to make no accounts', async () => {
    await start({ accounts: 'known' });

    expectError(await me(await issuer.sign()), 'signup_closed');
  });

  it('lets its users write as themselves, and no longer once they are disabled', async () => {
    await start();
    const token = await issuer.sign({ name: 'Ann' });
    const { id } = (await me(token).expect(200)).body.data.user;
    const post = () => service.http(token).post('/api/cms/post').send({ title: 'Mine', status: 'published' });
    const { data } = (await post().expect(201)).body;
    const { body } = await service.http().get(`/api/cms/post/${data.id}/revisions`).expect(200);
    expect(body.data[0].author).toMatchObject({ id, name: 'Ann' });

    await service.http().put(`/api/users/${id}`).send({ disabled: true }).expect(200);
    putClockAhead(service, 5);

    expectError(await post(), 'account_disabled');
  });

  it('opens no session: what is about one is refused, and what takes a fresh sign-in wants a proof in the token', async () => {
    await start();
    const token = await issuer.sign({ groups: ['admins'] });
    const ask = service.http(token);

    for (const path of ['sessions', 'identities', 'security']) {
      expectError(await ask.get(`/api/auth/${path}`), 'no_session');
    }
    expectError(await ask.delete(`/api/auth/sessions/${'0'.repeat(32)}`), 'no_session');
    expectError(await ask.post('/api/auth/step-up').send({ password: 'x' }), 'no_session');
    expectError(await ask.post('/api/auth/security/lock-down'), 'no_session');
    const order = { name: 'ci', scopes: ['records:read'] };
    const person = { name: 'Bea', email: 'bea@example.com', role: 'author' };
    const stale = await ask.post('/api/users').send(person);
    expectError(stale, 'insufficient_user_authentication');
    expect(stale.body.message).toContain('Sign in again at corp, which has to send auth_time');
    expect(stale.body.message).not.toContain('step-up');
    const fresh = await issuer.sign({ groups: ['admins'], auth_time: Math.floor(Date.now() / 1_000) });
    await service.http(fresh).post('/api/users').send(person).expect(201);
    expectError(await service.http(fresh).post('/api/auth/tokens').send(order), 'no_session');
  });

  it('has each of its tokens count as a fresh sign-in where the operator vouches for that', async () => {
    await start({ fresh: true });
    const token = await issuer.sign({ groups: ['admins'] });

    await service
      .http(token)
      .post('/api/users')
      .send({ name: 'Cyd', email: 'cyd@example.com', role: 'author' })
      .expect(201);
  });

  it('is believed no proof that is younger than the token, however long the token is good', async () => {
    await start({ max_age: 86_400 });
    const now = Math.floor(Date.now() / 1_000);
    const token = await issuer.sign({ groups: ['admins'], exp: now + 80_000, auth_time: now + 3_600 });

    putClockAhead(service, 3_700);

    const answer = await service
      .http(token)
      .post('/api/users')
      .send({ name: 'Bea', email: 'late@example.com', role: 'author' });
    expectError(answer, 'insufficient_user_authentication');
  });

  it('is asked for its keys once for many tokens, and again for a key that is new', async () => {
    await start();
    for (let n = 0; n < 20; n += 1) await me(await issuer.sign({ sub: `s${n % 3}` })).expect(200);
    expect(issuer.asked).toBe(1);
    await issuer.addKey('two');

    const token = await issuer.sign({}, { kid: 'two' });
    expectError(await me(token), 'invalid_token');
    putMonotonicClockAhead(31);
    await me(token).expect(200);

    expect(issuer.asked).toBe(2);
    issuer.removeKey('two');
  });

  it('does not let in what a key has signed that is taken back', async () => {
    await start();
    await issuer.addKey('two');
    const token = await issuer.sign({ exp: Math.floor(Date.now() / 1_000) + 3_000 }, { kid: 'two' });
    await me(token).expect(200);
    issuer.removeKey('two');

    await me(token).expect(200);
    putMonotonicClockAhead(601);

    expectError(await me(token), 'invalid_token');
  });

  it.each<[string, TokenIssuer['answering']]>([
    ['does not answer', () => undefined],
    ['answers 500', (response) => response.writeHead(500).end()],
    ['leads elsewhere', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['answers no JSON', (response) => response.end('<html>')],
    ['answers too much', (response) => response.end(JSON.stringify({ keys: [], x: 'x'.repeat(262_144) }))],
    ['breaks off', (response) => response.destroy()],
  ])('that %s is out of reach until it was in reach once', async (_, answering) => {
    await start();
    issuer.answering = answering;
    const token = await issuer.sign({ exp: Math.floor(Date.now() / 1_000) + 80_000 });

    expectError(await me(token), 'provider_unavailable');
    issuer.answering = null;
    putMonotonicClockAhead(31);
    await me(token).expect(200);
    issuer.answering = answering;
    putMonotonicClockAhead(640);
    await me(token).expect(200);
    // Its own tokens have nothing to do with that.
    await service.http().get('/api/cms/post').expect(200);
  });

  it('has its keys in a file as well', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cms-jwks-'));
    const file = join(folder, 'jwks.json');
    writeFileSync(file, issuer.published());
    await start({ jwks_url: undefined, jwks_file: file });

    await me(await issuer.sign()).expect(200);
    expectError(await me(await issuer.sign({}, {}, await newKey('one'))), 'invalid_token');

    expect(issuer.asked).toBe(0);
    rmSync(folder, { recursive: true });
  });
});

describe('TRUSTED_ISSUERS', () => {
  const GOOD = {
    name: 'corp',
    issuer: 'https://id.example.com',
    audience: 'cms',
    jwks_url: 'https://id.example.com/k',
    algorithms: ['RS256'],
  };
  const read = (...entries: unknown[]) => readSettings('test', { TRUSTED_ISSUERS: JSON.stringify(entries) });

  it('has defaults for all that need not be said', () => {
    expect(read(GOOD).outsiders.issuers).toEqual([
      {
        ...{ name: 'corp', issuer: GOOD.issuer, audience: 'cms', keys: { url: GOOD.jwks_url }, algorithms: ['RS256'] },
        ...{ clients: null, subject: 'sub', scopes: null, maxAgeSeconds: 3_600, accounts: 'create' },
        isEmailTrusted: false,
        isFresh: false,
        roles: { claim: 'groups', ofGroup: new Map(), otherwise: null },
      },
    ]);
  });

  it.each<[string, object, string]>([
    ['a name that is too long', { name: 'x'.repeat(13) }, 'name must be'],
    ['the name of the gateway', { name: 'gateway' }, 'the name gateway twice'],
    ['its own issuer', { issuer: 'http://localhost:3000' }, "the service's own"],
    ['a symmetric algorithm', { algorithms: ['HS256'] }, 'algorithms must be some of'],
    ['no algorithm', { algorithms: [] }, 'algorithms must be'],
    ['keys at two places', { jwks_file: 'x' }, 'one of the two'],
    ['keys at none', { jwks_url: undefined }, 'one of the two'],
    ['a role that is none', { groups: { map: { a: 'root' } } }, 'groups must be'],
    ['a default role that is none', { default_role: 'root' }, 'default_role must be'],
    ['an age of days', { max_age: 86_401 }, 'max_age must be'],
    ['another way with accounts', { accounts: 'join' }, 'accounts must be'],
    ['a field that is not known', { algorithm: 'RS256' }, 'has algorithm'],
    ['scopes without a claim', { scopes: { prefix: 'x' } }, 'scopes must be'],
    ['trust that is a text', { email_trusted: 'true' }, 'email_trusted must be true or false'],
    ['clients that are none', { clients: [] }, 'clients must be'],
  ])('is refused with %s', (_, fields, sentence) => {
    expect(() => read({ ...GOOD, ...fields })).toThrow(sentence);
  });

  it.each(['', '{}', '[]', '[7]', 'junk'])('is refused as %p, unless it is empty', (text) => {
    const set = () => readSettings('test', { TRUSTED_ISSUERS: text }).outsiders.issuers;

    if (text === '') expect(set()).toEqual([]);
    else expect(set).toThrow('TRUSTED_ISSUERS must be JSON');
  });

  it('is refused with two of one name, and in production with keys over http', () => {
    expect(() => read(GOOD, { ...GOOD, issuer: 'https://b.example' })).toThrow('twice');
    const production = {
      APP_SECRET: 'a-secret-of-more-than-32-characters',
      PUBLIC_URL: 'https://a.example',
      DATABASE_URL: 'sqlite:x',
    };
    const entry = { ...GOOD, jwks_url: 'http://id.example.com/k' };
    expect(() => readSettings('production', { ...production, TRUSTED_ISSUERS: JSON.stringify([entry]) })).toThrow(
      'https',
    );
  });
});
