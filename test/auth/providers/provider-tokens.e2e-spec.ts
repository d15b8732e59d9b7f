import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { readSettings, type Settings } from '../../../src/config/settings.js';
import { expectError } from '../../support/errors.js';
import type { MockIdentityProvider } from '../../support/identity-provider.js';
import { startProviderApp, type ProviderApp } from '../../support/provider-app.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

describe('POST /api/auth/{provider}/token', () => {
  let service: ProviderApp;
  let provider: MockIdentityProvider;

  beforeAll(async () => {
    service = await startProviderApp({ OIDC_TRUST_EMAIL: 'true' });
    ({ provider } = service);
  });

  afterAll(() => service.close());

  const ann = { email: 'ann@gmail.com', email_verified: true };
  const send = (name: string, body: object) => service.anonymous().post(`/api/auth/${name}/token`).send(body);
  const idToken = (claims: JWTPayload) => provider.idToken({ ...ann, nonce: 'n', ...claims });

  it.each([
    ['google', 'google-ios', 'ann@gmail.com'],
    ['google', 'google-android', 'ann@gmail.com'],
    ['apple', 'apple-ios', 'ann@icloud.com'],
    ['oidc', 'oidc-app', 'ann@corp.example'],
  ])('takes an id_token of %s for %s', async (name, aud, email) => {
    const { status, body } = await send(name, { id_token: await idToken({ aud, email }), nonce: 'n', name: 'Ann' });

    expect([status, body.user?.email]).toEqual([200, email]);
    expect(body.refresh_token).toMatch(/^cmsr_/);
  });

  it('is a sign-in where a browser sends the password of a gateway along, and so is /redirect', async () => {
    const basic = { Authorization: 'Basic eDp5' };
    const body = { id_token: await idToken({ aud: 'google-ios' }), nonce: 'n' };

    await send('google', body).set(basic).expect(200);
    await service.anonymous().get('/api/auth/google/redirect').set(basic).expect(302);
  });

  it('takes the nonce as it is and as SHA-256, and no other one', async () => {
    const sha256 = createHash('sha256').update('n').digest('hex');
    const withNonce = (nonce: string | undefined) => idToken({ aud: 'apple-ios', email: 'ann@icloud.com', nonce });

    expect((await send('apple', { id_token: await withNonce(sha256), nonce: 'n' })).status).toBe(200);
    for (const nonce of [undefined, 'N', sha256.toUpperCase(), 'm']) {
      expectError(await send('apple', { id_token: await withNonce(nonce), nonce: 'n' }), 'invalid_id_token');
    }
  });

  it('is for apps: the client of the website is none of them', async () => {
    expectError(
      await send('google', { id_token: await idToken({ aud: 'google-client' }), nonce: 'n' }),
      'invalid_id_token',
    );
    expectError(
      await send('apple', { id_token: await idToken({ aud: 'google-ios' }), nonce: 'n' }),
      'invalid_id_token',
    );
  });

  it('takes each id_token once, however its signature is written', async () => {
    const token = await idToken({ aud: 'google-ios' });
    // The last character of a signature of 256 bytes has bits that mean nothing.
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const index = last.indexOf(token.at(-1) ?? '');
    const twin = token.slice(0, -1) + (last[index ^ 1] ?? '');
    await send('google', { id_token: token, nonce: 'n' }).expect(200);

    expectError(await send('google', { id_token: token, nonce: 'n' }), 'invalid_id_token');
    expectError(await send('google', { id_token: twin, nonce: 'n' }), 'invalid_id_token');
    expectError(await send('google', { id_token: `${token}=`, nonce: 'n' }), 'invalid_id_token');
  });

  it('lets one in of many who show one id_token at once', async () => {
    const body = { id_token: await idToken({ aud: 'google-ios', sub: 'crowd' }), nonce: 'n' };

    const answers = await Promise.all(Array.from({ length: 8 }, () => send('google', body)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 'invalid_id_token');
  });

  it.each(['', 'x', 'a.b.c', '..', 'eyJhbGciOiJub25lIn0.e30.', 'x'.repeat(10_000)])('refuses %j', async (token) => {
    expectError(await send('google', { id_token: token, nonce: 'n' }), 'invalid_id_token');
  });

  it('refuses one whose header points to keys of another party', async () => {
    const [, payload = ''] = (await idToken({ aud: 'google-ios' })).split('.');
    for (const extra of [{ jku: `${provider.url}/jwks` }, { x5u: provider.url }, { crit: ['x'], x: 1 }, { jwk: {} }]) {
      const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'x', ...extra })).toString('base64url');
      expectError(await send('google', { id_token: `${header}.${payload}.AAAA`, nonce: 'n' }), 'invalid_id_token');
    }
  });

  it.each([
    ['its type', { typ: 'logout+jwt' }, { events: undefined }],
    ['the long form of its type', { typ: 'application/Logout+JWT' }, { events: undefined }],
    ['the type of access tokens', { typ: 'at+jwt' }, { events: undefined }],
    ['its event', { typ: 'JWT' }, {}],
  ])('refuses a token for another purpose that has a nonce, by %s', async (_, header, claims) => {
    const token = await provider.logoutToken({ aud: 'oidc-app', sub: 'ann', nonce: 'n', ...ann, ...claims }, header);

    expectError(await send('oidc', { id_token: token, nonce: 'n' }), 'invalid_id_token');
  });

  it.each([{ typ: 'JWT' }, { typ: 'jwt' }, { typ: 'application/jwt' }, {}])('takes the header %j', async (header) => {
    const claims = { aud: 'oidc-app', sub: 'ann', nonce: 'n', ...ann, events: undefined };

    const token = await provider.logoutToken(claims, header);

    await send('oidc', { id_token: token, nonce: 'n' }).expect(200);
  });

  it('calls a new user what the app says where the provider says nothing', async () => {
    const token = await idToken({ aud: 'apple-ios', sub: 'new', email: 'new@icloud.com' });

    const { body } = await send('apple', { id_token: token, nonce: 'n', name: '  Newt\u202eon ' });

    expect(body.user.name).toBe('Newton');
  });

  it.each([
    [{}, ['id_token', 'nonce']],
    [{ id_token: 7, nonce: 'n' }, ['id_token']],
    [{ id_token: 'x', nonce: '' }, ['nonce']],
    [{ id_token: 'x', nonce: 'x'.repeat(256) }, ['nonce']],
    [{ id_token: 'x', nonce: 'n', name: null }, ['name']],
    [{ id_token: 'x', nonce: 'n', mode: 'both' }, ['mode']],
    [{ id_token: 'x', nonce: 'n', code: 'x' }, ['code']],
  ])('refuses the body %j for %j', async (body, fields) => {
    const answer = await send('google', body);

    expectError(answer, 'validation_failed');
    expect([...new Set(answer.body.details.map(({ field }: { field: string }) => field))]).toEqual(fields);
  });
});

describe('POST /api/auth/apple/callback', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp({ RATE_LIMITS: 'off' });
  });

  afterAll(() => service.close());

  const post = (body: string) =>
    service.anonymous().post('/api/auth/apple/callback').type('form').set('Host', 'evil.example').send(body);

  it('sends the browser to the same address with GET, with what is needed and nothing more', async () => {
    const { status, headers, text } = await post(
      'code=a%26b&state=s&id_token=x&user=%7B%7D&redirect_to=//evil.example',
    );

    expect([status, text]).toEqual([303, '']);
    expect(headers.location).toBe('/api/auth/apple/callback?code=a%26b&state=s&user=%7B%7D');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['set-cookie']).toBeUndefined();
  });

  it.each<[string, Record<string, string>]>([
    ['Apple', { Origin: 'https://appleid.apple.com', 'Sec-Fetch-Site': 'cross-site' }],
    ['Apple in a browser that does not say so', { Origin: 'https://appleid.apple.com' }],
    ['a page that hides its origin', { Origin: 'null' }],
  ])('takes the form of %s, since it does nothing but lead to the address whose cookie decides', async (_, headers) => {
    const answer = await post('code=a&state=s').set(headers);

    expect([answer.status, answer.headers.location]).toEqual([303, '/api/auth/apple/callback?code=a&state=s']);
  });

  it.each(['code=a&code=b&state=s', `code=${'x'.repeat(2_049)}&state=s`, `user=${'x'.repeat(2_049)}`])(
    'refuses %j with a page, since a person is in front of it',
    async (body) => {
      const { status, headers, text } = await post(body);

      expect([status, headers['content-type'], headers.location]).toEqual([422, 'text/html; charset=utf-8', undefined]);
      expect(text).not.toContain('xxx');
    },
  );

  it('takes a text of 2,048 characters, and no header out of one', async () => {
    const { status, headers } = await post(`code=${'x'.repeat(2_040)}%0d%0aEvil:1&state=s`);

    expect([status, headers.evil]).toEqual([303, undefined]);
  });
});

describe('Providers that are not set up', () => {
  const { providers } = readSettings('production', {
    APP_SECRET: 'a-secret-of-more-than-32-characters',
    PUBLIC_URL: 'https://cms.example.com',
    DATABASE_URL: 'sqlite::memory:',
  });

  async function ask(
    environment: Record<string, string>,
    work: (service: TestApp) => Promise<void>,
    overrides: Partial<Settings> = {},
  ): Promise<void> {
    const service = await startTestApp({ RATE_LIMITS: 'off', ...environment }, overrides);
    try {
      await work(service);
    } finally {
      await service.close();
    }
  }

  it('are 503 in production, on every route', async () => {
    await ask(
      {},
      async (service) => {
        for (const name of ['google', 'apple', 'oidc']) {
          expectError(await service.anonymous().get(`/api/auth/${name}/redirect`), 'provider_not_configured');
          expectError(
            await service.anonymous().get(`/api/auth/${name}/callback?code=x&state=y`),
            'provider_not_configured',
          );
          const body = { id_token: 'x', nonce: 'n' };
          expectError(await service.anonymous().post(`/api/auth/${name}/token`).send(body), 'provider_not_configured');
        }
      },
      { providers },
    );
  });

  it('can be begun elsewhere, without Secure cookies over http, and end nowhere', async () => {
    await ask({}, async (service) => {
      for (const [name, host] of [
        ['google', 'accounts.google.com'],
        ['apple', 'appleid.apple.com'],
      ] as const) {
        const { status, headers } = await service.anonymous().get(`/api/auth/${name}/redirect`);
        expect([status, new URL(String(headers.location)).host]).toEqual([302, host]);
        expect(headers['set-cookie']).toEqual([
          expect.stringMatching(new RegExp(`^oauth_${name}=[\\w.-]+; Path=/; Max-Age=600; HttpOnly; SameSite=Lax$`)),
        ]);
        const forged = await service.anonymous().get(`/api/auth/${name}/callback?code=x&state=y`);
        expectError(forged, 'invalid_state');
      }
      expectError(await service.anonymous().get('/api/auth/oidc/redirect'), 'provider_not_configured');
    });
  });

  it('are those that AUTH_METHODS leaves out, too', async () => {
    await ask({ AUTH_METHODS: 'password,apple' }, async (service) => {
      expectError(await service.anonymous().get('/api/auth/google/redirect'), 'provider_not_configured');
      expect((await service.anonymous().get('/api/auth/apple/redirect')).status).toBe(302);
    });
  });
});
