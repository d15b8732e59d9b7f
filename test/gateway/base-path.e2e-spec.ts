import type { AddressInfo } from 'node:net';
import { readSettings } from '../../src/config/settings.js';
import { expectError } from '../support/errors.js';
import { startMailedApp, type MailedApp } from '../support/mailed-app.js';
import { sendRaw } from '../support/raw-http.js';
import { PASSWORD } from '../support/sign-in.js';

const PUBLIC_URL = 'https://example.com';
const OWN = `${PUBLIC_URL}/cms`;
/** What would lead elsewhere, were it believed. */
const FORWARDED = {
  Host: 'evil.example',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'http',
  'X-Forwarded-Prefix': '/evil',
  Forwarded: 'for=192.0.2.9;host=evil.example;proto=http',
};

describe('BASE_PATH', () => {
  it.each([
    'cms',
    '/',
    '/cms/',
    '/a//b',
    '/../cms',
    '/cms/.',
    '/health',
    '/health/x',
    '/cms?x',
    '/cms x',
    '//cms',
    '/é',
  ])('is refused as %s', (text) => {
    expect(() => readSettings('demo', { BASE_PATH: text })).toThrow('BASE_PATH=/cms.');
  });

  it.each([`/${'x'.repeat(99)}`, '/cms', '/a/b-c_d.e~f', '/healthy'])('is taken as %s', (text) => {
    expect(readSettings('demo', { BASE_PATH: text }).gateway.basePath).toBe(text);
    expect(() => readSettings('demo', { BASE_PATH: `/${'x'.repeat(100)}` })).toThrow('100 characters');
  });
});

describe.each([
  ['that reaches the service', 'no', '/cms'],
  ['that the gateway takes off', 'yes', ''],
])('A base path %s', (_, stripped, base) => {
  let service: MailedApp;

  beforeAll(async () => {
    service = await startMailedApp({ PUBLIC_URL, BASE_PATH: '/cms', BASE_PATH_STRIPPED: stripped });
  });

  afterAll(() => service.close());

  const get = (path: string) =>
    service
      .http()
      .get(base + path)
      .set(FORWARDED);

  it('stands before every address that the service names, whatever a request says', async () => {
    const home = await get('/').expect(200);
    const document = await get('/api/openapi.json').expect(200);
    const discovery = await get('/.well-known/openid-configuration').expect(200);
    const robots = await get('/robots.txt').expect(200);
    const created = await service
      .http()
      .post(`${base}/api/cms/post`)
      .set(FORWARDED)
      .send({ title: 'Hello', slug: 'hello', status: 'published' })
      .expect(201);
    const way = await service.anonymous().get(`${base}/api/auth/google/redirect`).set(FORWARDED).expect(302);

    expect(home.body.links.docs).toBe('/cms/api/docs');
    expect(document.body.servers).toEqual([{ url: OWN }]);
    expect(discovery.body).toEqual({ issuer: OWN, jwks_uri: `${OWN}/.well-known/jwks.json` });
    expect(robots.text).toBe(`User-agent: *\nDisallow: /cms/api/\n\nSitemap: ${OWN}/sitemap.xml\n`);
    expect(created.headers.location).toBe(`/cms/api/cms/post/${created.body.data.id}`);
    expect(new URL(String(way.headers.location)).searchParams.get('redirect_uri')).toBe(
      `${OWN}/api/auth/google/callback`,
    );
  });

  it('leads people on from its own page, with a slash at the end and without', async () => {
    for (const path of base === '' ? ['/'] : ['', '/']) {
      const page = await get(path).set('Accept', 'text/html').expect(200);

      expect(page.text).toContain('href="/cms/api/docs"');
    }
  });

  it('is in the links of mails', async () => {
    const { email } = await aPersonBelow();
    await service.anonymous().post(`${base}/api/auth/magic-link`).set(FORWARDED).send({ email }).expect(200);

    const { link } = await service.mailbox.next(email);

    expect(link).toMatch(new RegExp(`^${OWN}/api/auth/magic-link/verify\\?token=`));
  });

  it('keeps cookies from what else is on the host', async () => {
    const { email } = await aPersonBelow();
    const answer = await service
      .anonymous()
      .post(`${base}/api/auth/login`)
      .send({ email, password: PASSWORD, mode: 'cookie' })
      .expect(200);
    const way = await service.anonymous().get(`${base}/api/auth/google/redirect`).expect(302);
    const [refresh = '', device = ''] = answer.headers['set-cookie'] as unknown as string[];

    expect(refresh).toMatch(
      /^__Secure-cms_refresh=\S+ Max-Age=\d+; Path=\/cms\/api\/auth; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(device).toMatch(
      /^__Secure-cms_device=\S+ Max-Age=\d+; Path=\/cms\/api\/auth; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(way.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Secure-oauth_google=\S+ Path=\/cms\/api\/auth; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    await service
      .anonymous()
      .post(`${base}/api/auth/refresh`)
      .set('Cookie', [refresh, device].map((cookie) => cookie.split(';')[0]).join('; '))
      .expect(200);
  });

  async function aPersonBelow(): Promise<{ readonly email: string }> {
    const email = `p${Date.now()}${Math.random().toString(36).slice(2)}@example.com`;
    await service
      .http()
      .post(`${base}/api/users`)
      .send({ email, name: 'Ann', role: 'viewer', password: PASSWORD })
      .expect(201);
    return { email };
  }
});

describe('Below a base path that reaches the service', () => {
  let service: MailedApp;

  beforeAll(async () => {
    service = await startMailedApp({ PUBLIC_URL, BASE_PATH: '/cms' });
  });

  afterAll(() => service.close());

  it.each([
    ['GET', '/api/openapi.json'],
    ['DELETE', '/api/cms/post'],
    ['GET', '/'],
    ['GET', '/cmsx/api/openapi.json'],
    ['GET', '/CMS/api/openapi.json'],
    ['GET', '/%63ms/api/openapi.json'],
    ['GET', '//cms/api/openapi.json'],
    ['GET', '/cms/../api/openapi.json'],
    ['GET', '/cms//api/openapi.json'],
    ['GET', '/cms/cms/api/openapi.json'],
    ['GET', '/.well-known/jwks.json'],
  ])('%s %s is not found', async (method, path) => {
    const { port } = service.app.getHttpServer().address() as AddressInfo;

    const { answers } = await sendRaw(port, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

    expect(answers.map(({ status, body }) => [status, body?.error])).toEqual([[404, 'not_found']]);
  });

  it('probes of health need no base path, and may have it', async () => {
    for (const path of ['/health/live', '/health/ready', '/cms/health/live', '/cms/health/ready']) {
      await service.anonymous().get(path).expect(200);
    }
  });

  it('an address in the form meant for proxies is understood', async () => {
    const { port } = service.app.getHttpServer().address() as AddressInfo;

    const { answers } = await sendRaw(port, 'GET http://x/cms/health/live HTTP/1.1\r\nHost: x\r\n\r\n');

    expect(answers.map(({ status }) => status)).toEqual([200]);
  });

  it('a method that a path does not take is still 405', async () => {
    const answer = await service.anonymous().post('/cms/health/live');

    expectError(answer, 'method_not_allowed');
  });
});
