import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, Request } from 'playwright-core';
import { PROVIDER_NAMES } from '../../src/config/provider-settings.js';
import { Settings } from '../../src/config/settings.js';
import { FreshChromium } from '../support/chromium.js';
import { MockIdentityProvider } from '../support/identity-provider.js';
import { ProviderBrowser } from '../support/provider-browser.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** The service is `localhost`, the provider `127.0.0.1`: for a browser these are two sites. */
describe('Signing in with a provider, in a browser', () => {
  let provider: MockIdentityProvider;
  let service: TestApp;
  let site: Server;
  let chromium: FreshChromium;
  let page: Page;

  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  const at = (path: string) => `http://localhost:${portOf(service.app.getHttpServer())}${path}`;
  const consolePage = () => `http://localhost:${portOf(site)}/signed-in`;

  beforeAll(async () => {
    site = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<h1>Console</h1>'));
    await once(site.listen(0, '127.0.0.1'), 'listening');
    provider = await MockIdentityProvider.start();
    const environment = { ...provider.environment, SIGNUP: 'open', RATE_LIMITS: 'off' };
    service = await startTestApp({ ...environment, REDIRECT_ALLOW_LIST: consolePage() });
    // The port is known only now. Nothing has asked for the address yet.
    service.app.get(Settings).publicUrl = at('');
  });

  beforeEach(async () => {
    provider.behaviour = {};
    chromium = await FreshChromium.start();
    page = await chromium.context.newPage();
  });

  afterEach(() => chromium.close());

  afterAll(async () => {
    site.close();
    await service.close();
    await provider.stop();
  });

  /** Through the page of the provider, where it shows one. */
  async function signIn(name: string, query = ''): Promise<void> {
    await page.goto(at(`/api/auth/${name}/redirect${query}`));
    const button = page.getByRole('button', { name: 'Continue' });
    if (await button.isVisible()) {
      await Promise.all([page.waitForURL((url) => url.hostname === 'localhost'), button.click()]);
    }
  }

  const answer = async (): Promise<{ token?: string; error?: string; user?: { email: string } }> =>
    JSON.parse((await page.textContent('pre')) ?? '{}');

  const failure = () => page.getByRole('alert').textContent();

  it.each(PROVIDER_NAMES)('with %s, gets its tokens', async (name) => {
    provider.behaviour = { claims: { sub: name, email: `${name}@gmail.com` } };
    await signIn(name);

    const { token, user } = await answer();
    expect(user?.email).toBe(`${name}@gmail.com`);
    expect((await service.http(token).get('/api/auth/me')).body.data.user.email).toBe(`${name}@gmail.com`);
    expect((await chromium.context.cookies()).map((cookie) => cookie.name)).toEqual(['cms_device']);
  });

  it.each(PROVIDER_NAMES)('with %s, ends on the page that asked, with a code for it', async (name) => {
    provider.behaviour = { claims: { sub: name, email: `${name}@gmail.com` } };
    await signIn(name, `?redirect_to=${encodeURIComponent(consolePage())}`);

    const url = new URL(page.url());
    expect(url.origin + url.pathname).toBe(consolePage());
    expect(await page.textContent('h1')).toBe('Console');
    const { status, body } = await service
      .anonymous()
      .post('/api/auth/exchange')
      .send({ code: url.searchParams.get('code') });
    expect([status, body.user?.email]).toEqual([200, `${name}@gmail.com`]);
  });

  it('has its cookie not with the form of Apple, but with the address that it leads to', async () => {
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await signIn('apple');

    const back = requests.filter((request) => request.url().startsWith(at('/api/auth/apple/callback')));
    const sent = await Promise.all(back.map(async (one) => [one.method(), await one.headerValue('cookie')]));
    expect(sent).toEqual([
      ['POST', null],
      ['GET', expect.stringMatching(/^oauth_apple=/)],
    ]);
  });

  it('keeps its cookie from scripts', async () => {
    await page.goto(at('/api/auth/apple/redirect'));
    expect(page.url()).toContain(`${provider.url}/authorize`);
    await page.goto(at('/health/live'));

    expect((await chromium.context.cookies()).map(({ name }) => name)).toEqual(['oauth_apple']);
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  it('shows a page where it is cancelled, and begins again by its link', async () => {
    provider.behaviour = { return: 'apple-cancel' };
    await signIn('apple');
    expect(await failure()).toBe('The sign-in was cancelled.');

    provider.behaviour = {};
    const link = page.getByRole('link', { name: 'Begin again' });
    await Promise.all([page.waitForURL((url) => url.hostname === '127.0.0.1'), link.click()]);
    await Promise.all([
      page.waitForURL((url) => url.hostname === 'localhost'),
      page.getByRole('button', { name: 'Continue' }).click(),
    ]);
    expect((await answer()).token).toBeDefined();
  });

  it('gets nothing from the address of a finished sign-in, neither by reloading nor by going back', async () => {
    await signIn('google');
    expect((await answer()).token).toBeDefined();

    await page.reload();
    expect(await failure()).toContain('started in another tab or browser');
  });

  it('is not signed in by a page of an attacker, which sends it an answer of its own', async () => {
    const { path } = await new ProviderBrowser(service).visit('google');

    await page.goto(at(path));

    expect(path).toContain('code=');
    expect(await failure()).toContain('started in another tab or browser');
  });
});
