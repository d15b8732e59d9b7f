import type { Response } from 'supertest';
import { Reads } from '../../../src/database/statements/reads.js';
import { execute } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { expectError } from '../../support/errors.js';
import { MockIdentityProvider } from '../../support/identity-provider.js';
import { sendLink, tokenOf, verifyLink } from '../../support/mail-sign-in.js';
import { Mailbox } from '../../support/mailbox.js';
import { ProviderBrowser } from '../../support/provider-browser.js';
import { aPerson, PASSWORD } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
/** What programs of the JDK send by themselves. */
const JAVA = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
const CONSOLE = 'https://console.example.com/signed-in';
const VERIFY = '/api/auth/magic-link/verify';

describe('A failure that a person meets', () => {
  let provider: MockIdentityProvider;
  let mailbox: Mailbox;
  let service: TestApp;

  beforeAll(async () => {
    [provider, mailbox] = [await MockIdentityProvider.start(), await Mailbox.open()];
    service = await startTestApp({
      ...provider.environment,
      ...mailbox.environment,
      AUTH_METHODS: 'password,otp,magic-link,google,apple',
      PUBLIC_URL: 'https://cms.example.com',
      SITE_URL: 'https://www.example.com',
      MAIL_FROM: 'Linden Hill <no-reply@example.com>',
      REDIRECT_ALLOW_LIST: CONSOLE,
      RATE_LIMITS: 'off',
    });
  });

  afterEach(() => {
    provider.behaviour = {};
  });

  afterAll(async () => {
    await service.close();
    await provider.stop();
    await mailbox.close();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    service
      .anonymous()
      .get(path)
      .set({ Accept: BROWSER, ...headers });

  /** What the page has to say. */
  function pageOf({ type, text }: Response): { sentences: string[]; link: string; label: string; address: string } {
    expect(type).toBe('text/html');
    expect(text).toContain('<p class="service">Linden Hill</p>');
    expect(text.match(/<a /g)).toHaveLength(1);
    const [, link = '', label = ''] = /<a href="([^"]*)">([^<]*)<\/a>/.exec(text) ?? [];
    const sentences = [...text.matchAll(/role="alert">([^<]*)</g)].map(([, sentence = '']) => sentence);
    return { sentences, link, label, address: /For ([^<]*)</.exec(text)?.[1] ?? '' };
  }

  const cookieOf = ({ headers }: Response) =>
    ((headers['set-cookie'] ?? []) as unknown as string[]).map((line) => line.split(';')[0]).join('; ');

  /** Where the provider sends the browser. */
  async function wayBack({ headers }: Response): Promise<string> {
    const answer = await fetch(String(headers.location), { redirect: 'manual' });
    const { pathname, search } = new URL(answer.headers.get('location') ?? '');
    return pathname + search;
  }

  it.each([
    ['code=x', 400, 'This sign-in was started in another tab or browser, or has ended. Start it again.'],
    ['error=access_denied', 401, 'The sign-in was cancelled.'],
    [
      'error=access_denied&iss=https://evil.example',
      400,
      'This sign-in was started in another tab or browser, or has ended. Start it again.',
    ],
  ])('that the browser did not begin leads to the site: ?%s', async (query, status, sentence) => {
    const begun = await new ProviderBrowser(service).begin('google');
    const forged = `/api/auth/google/callback?${query}&state=forged`;

    for (const page of [await get(forged, { Cookie: cookieOf(begun) }), await get(forged)]) {
      expect([page.status, pageOf(page).sentences]).toEqual([status, [sentence]]);
      expect(pageOf(page)).toMatchObject({ link: 'https://www.example.com', label: 'Go to www.example.com' });
    }
  });

  it('on the way back from a provider leads to where the sign-in is begun again, as it was begun', async () => {
    const begun = await new ProviderBrowser(service).begin('google', { max_age: '60' });
    provider.behaviour = { claims: { nonce: 'another' } };

    const page = await get(await wayBack(begun), { Cookie: cookieOf(begun) });

    expect(pageOf(page)).toMatchObject({ link: 'redirect?max_age=60', label: 'Begin again' });
    expect((await get(`/api/auth/google/${pageOf(page).link}`).redirects(0)).status).toBe(302);
  });

  it.each([
    ['of now', Date.now()],
    ['from long ago', 1],
  ])('has a way to begin again that stays a sign-in beside the cookie of a session %s', async (_, authTime) => {
    const { id, email } = await aPerson(service);
    const login = { email, password: PASSWORD, mode: 'cookie' };
    const session = await service.anonymous().post('/api/auth/login').send(login).expect(200);
    const sql = 'UPDATE auth_sessions SET auth_time = ? WHERE user_id = ?';
    await service.app.get(UnitOfWork).run((manager) => execute(manager, sql, [authTime, id]));
    const own = { Cookie: cookieOf(session), 'Sec-Fetch-Site': 'same-origin' };
    // A page of another site sends the browser there, and on to the page about a failure.
    const sent = await get('/api/auth/google/redirect', { 'Sec-Fetch-Site': 'cross-site' }).redirects(0);
    const state = new URL(String(sent.headers.location)).searchParams.get('state') ?? '';
    const cancelled = `/api/auth/google/callback?error=access_denied&state=${state}`;
    const { link } = pageOf(await get(cancelled, { Cookie: cookieOf(sent) }));

    const begun = await get(`/api/auth/google/${link}`, own).redirects(0);
    provider.behaviour = { claims: { sub: email, email: `other-${email}`, email_verified: true } };
    const answer = await get(await wayBack(begun), { Cookie: cookieOf(begun), Accept: 'application/json' });

    expectError(answer, 'signup_closed');
    const linked = await service.app.get(Reads).select('SELECT id FROM auth_identities WHERE user_id = ?', [id]);
    expect(linked).toEqual([]);
  });

  it.each(['google', 'apple'] as const)('who cancels at %s has one sentence and one link', async (name) => {
    const begun = await new ProviderBrowser(service).begin(name);
    const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? '';

    const page = await get(`/api/auth/${name}/callback?error=access_denied&state=${state}`, {
      Cookie: cookieOf(begun),
    });

    expect(page.status).toBe(401);
    expect(pageOf(page)).toMatchObject({ sentences: ['The sign-in was cancelled.'], link: 'redirect' });
  });

  it('with a provider that is not set up leads back to where it was begun', async () => {
    const begin = (query = '') => get(`/api/auth/oidc/redirect${query}`);
    const [page, other] = [await begin(), await begin(`?redirect_to=${encodeURIComponent(CONSOLE)}`)];

    expect([page.status, other.status]).toEqual([503, 503]);
    expect(pageOf(page)).toMatchObject({ sentences: ['Your organisation’s sign-in is not set up at this service.'] });
    expect(pageOf(other)).toMatchObject({
      link: `${CONSOLE}?error=provider_not_configured`,
      label: 'Back to console.example.com',
    });
  });

  it('names the service, and whose sign-in it is, masked', async () => {
    const { email } = await aPerson(service, { email: 'Marianne@Example.com' });
    await sendLink(service, email);
    const token = tokenOf(await mailbox.next(email));

    const before = await get(`${VERIFY}?token=${token}`);
    await verifyLink(service, token);
    const page = await service.anonymous().post(VERIFY).type('form').set('Accept', BROWSER).send({ token });

    expect(before.text).toContain('Signing in as m•••@example.com');
    expect(before.text).toContain('<p class="service">Linden Hill</p>');
    expect(pageOf(page)).toMatchObject({
      sentences: ['This link was used before, was replaced by a newer one, or has expired.'],
      address: 'm•••@example.com',
    });
    const after = await get(`${VERIFY}?token=${token}`);
    expect(after.status).toBe(410);
    expect(pageOf(after)).toMatchObject({
      label: 'Go to www.example.com',
      link: 'https://www.example.com',
      address: '',
    });
    for (const { text } of [before, page, after]) expect(text.toLowerCase()).not.toContain(email.toLowerCase());
  });

  it('names its request where help may be needed, and not where it can be mended', async () => {
    const [unset, stale] = [
      await get('/api/auth/oidc/redirect', { 'X-Request-Id': 'help-1' }),
      await get('/api/auth/google/callback?code=x&state=forged', { 'X-Request-Id': 'help-2' }),
    ];
    const foreign = await service
      .anonymous()
      .post(VERIFY)
      .type('form')
      .set({ Accept: BROWSER, 'Sec-Fetch-Site': 'cross-site', 'X-Request-Id': 'help-3' })
      .send({ token: 'x'.repeat(43) });

    expect([unset.status, stale.status, foreign.status]).toEqual([503, 400, 403]);
    for (const { text, headers } of [unset, foreign]) {
      expect(text).toContain(`name this request to an administrator: ${headers['x-request-id']}<`);
    }
    expect(stale.text).not.toContain('name this request');
  });

  it('leads back to the form where it can be mended there', async () => {
    const { email } = await aPerson(service);
    await service.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
    const token = tokenOf(await mailbox.next(email));
    const post = service.anonymous().post('/api/auth/password/reset').type('form').set('Accept', BROWSER);

    const page = await post.send({ token, password: 'short' });

    expect(page.status).toBe(422);
    expect(pageOf(page)).toMatchObject({ link: `reset?token=${token}`, label: 'Try again' });
    expect((await get(`/api/auth/password/${pageOf(page).link}`)).text).toContain('Choose a new password');
  });

  it.each(['?=', '', '?token', '?token=a&x=b', '?%zz'])(
    'is a page when the query of a link was mangled: %j',
    async (query) => {
      const answer = await get(`${VERIFY}${query}`);

      expect(answer.status).toBe(400);
      expect(pageOf(answer).sentences).toEqual(['This address is not complete: open the whole link.']);
    },
  );

  it.each([
    ['has no token', '', 422, 'This address is not complete: open the whole link.'],
    ['has two tokens', 'token=a&token=b', 422, 'This address is not complete: open the whole link.'],
    ['is too long', `token=${'x'.repeat(200_000)}`, 413, 'The text is too long.'],
  ])('of a form that %s speaks to a person', async (_, form, status, sentence) => {
    const page = await service.anonymous().post(VERIFY).type('form').set('Accept', BROWSER).send(form);

    expect(page.status).toBe(status);
    expect(pageOf(page)).toMatchObject({ sentences: [sentence], label: 'Go to www.example.com' });
  });

  it('of a way that is switched off names it as people do', async () => {
    const strict = await startTestApp({ AUTH_METHODS: 'otp', RATE_LIMITS: 'off' });
    const visit = (path: string) => strict.anonymous().get(`${path}?token=x`).set('Accept', BROWSER);
    const pages = [await visit(VERIFY), await visit('/api/auth/password/reset')];
    await strict.close();

    expect(pages.map(({ status }) => status)).toEqual([404, 404]);
    expect(pages[0]?.text).toContain('>Signing in by a link from a mail is switched off here.<');
    expect(pages[1]?.text).toContain('>Signing in by password is switched off here.<');
  });

  it('while an identity is linked in a session from long ago asks for another sign-in', async () => {
    const { email } = await aPerson(service);
    const login = { email, password: PASSWORD, mode: 'cookie' };
    const session = await service.anonymous().post('/api/auth/login').send(login).expect(200);
    await service.app.get(UnitOfWork).run((manager) => execute(manager, 'UPDATE auth_sessions SET auth_time = 1', []));
    const own = { Cookie: cookieOf(session), 'Sec-Fetch-Site': 'same-origin' };

    const begun = await get('/api/auth/google/redirect?as=link', own).redirects(0);
    const page = await get(await wayBack(begun), { Cookie: cookieOf(begun) });

    expect(page.status).toBe(401);
    expect(pageOf(page).sentences).toEqual(['You signed in too long ago for this. Sign in again, then begin again.']);
  });

  it.each([
    ['JSON', 'application/json'],
    ['JSON beside HTML', `application/json, text/html;q=0.9`],
    ['anything', '*/*'],
  ])('is JSON for a program that asks for %s', async (_, accept) => {
    expectError(await get('/api/auth/google/callback?code=x&state=y', { Accept: accept }), 'invalid_state');
    expectError(await get(`${VERIFY}?=`, { Accept: accept }), 'invalid_query');
  });

  it('is JSON where a form asks for it, and where nothing but programs ask', async () => {
    const token = 'x'.repeat(43);
    const form = await service.anonymous().post(VERIFY).type('form').set('Accept', 'application/json').send({ token });
    const json = await service.anonymous().post(VERIFY).set('Accept', JAVA).send({ token });
    const login = await service.anonymous().post('/api/auth/login').set('Accept', JAVA).send({});

    expectError(form, 'invalid_link');
    expectError(json, 'invalid_link');
    expectError(login, 'validation_failed');
    expectError(await get('/api/cms/post', { Accept: JAVA }), 'unauthorized');
  });

  it.each([
    ['/nope', 404, 'There is nothing at this address.'],
    ['/api/auth/login', 405, 'This address is for programs, and shows nothing in a browser.'],
  ])('is a page for a person who types %s', async (path, status, sentence) => {
    const page = await get(path, { Accept: BROWSER });

    expect([page.status, pageOf(page).sentences]).toEqual([status, [sentence]]);
    expectError(await get(path, { Accept: '*/*' }), status === 404 ? 'not_found' : 'method_not_allowed');
  });

  it('is a page where a form says nothing of what it takes', async () => {
    const answer = await service
      .anonymous()
      .post(VERIFY)
      .type('form')
      .send({ token: 'x'.repeat(43) });

    expect([answer.status, pageOf(answer).address]).toEqual([401, '']);
  });
});

describe('A sign-in by a form that asks for JSON', () => {
  it('is answered with tokens', async () => {
    const mailbox = await Mailbox.open();
    const service = await startTestApp({ ...mailbox.environment, RATE_LIMITS: 'off' });
    const { email } = await aPerson(service);
    await sendLink(service, email);
    const token = tokenOf(await mailbox.next(email));

    const answer = await service
      .anonymous()
      .post(VERIFY)
      .type('form')
      .set('Accept', 'application/json')
      .send({ token });

    expect([answer.status, answer.body.token_type]).toEqual([200, 'Bearer']);
    await service.close();
    await mailbox.close();
  });
});
