import { createHash, randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import { Settings } from '../../../src/config/settings.js';
import { putClockAhead } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { sendLink, tokenOf, verifyLink } from '../../support/mail-sign-in.js';
import { startMailedApp, type MailedApp } from '../../support/mailed-app.js';
import type { Mailbox } from '../../support/mailbox.js';
import { aPerson } from '../../support/sign-in.js';
import { startTestApp } from '../../support/test-app.js';

const TARGET = 'https://console.example.com/signed-in?tab=1';
const VERIFY = '/api/auth/magic-link/verify';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('A magic link', () => {
  let service: MailedApp;
  let mailbox: Mailbox;

  beforeAll(async () => {
    service = await startMailedApp({ REDIRECT_ALLOW_LIST: `${TARGET},com.example.app:/signed-in` });
    ({ mailbox } = service);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  /** The token of a link that was mailed to a new user. */
  async function mailed(options: object = {}): Promise<string> {
    const { email } = await aPerson(service);
    const { status } = await sendLink(service, email, options);
    expect(status).toBe(200);
    return tokenOf(await mailbox.next(email));
  }

  const visit = (token: string, headers: Record<string, string> = {}) =>
    service.anonymous().get(`${VERIFY}?token=${token}`).set(headers);
  const post = (token: string, headers: Record<string, string> = {}) =>
    service.anonymous().post(VERIFY).type('form').set(headers).send({ token });
  const cookiesOf = ({ headers }: Response) => (headers['set-cookie'] ?? []) as unknown as string[];

  it('opens a session for a program that follows it, once', async () => {
    const token = await mailed();

    const { status, body } = await visit(token, { Accept: 'application/json' });
    expect([status, body.token_type, body.user.email_verified]).toEqual([200, 'Bearer', true]);
    const me = await service.http(body.token as string).get('/api/auth/me');
    expect(me.body.data.session.amr).toEqual(['link']);
    expectError(await visit(token, { Accept: 'application/json' }), 'invalid_link');
  });

  it.each([
    ['HEAD', () => (token: string) => service.anonymous().head(`${VERIFY}?token=${token}`), 200],
    ['Sec-Purpose: prefetch', () => (token: string) => visit(token, { 'Sec-Purpose': 'prefetch;prerender' }), 204],
    ['Purpose: prefetch', () => (token: string) => visit(token, { Purpose: 'prefetch', Accept: BROWSER }), 204],
    ['a browser', () => (token: string) => visit(token, { Accept: BROWSER }), 200],
    ['a scanner that takes anything', () => (token: string) => visit(token, { Accept: '*/*' }), 200],
    ['a scanner that says nothing', () => (token: string) => visit(token), 200],
    [
      'a scanner that is called as browsers are',
      () => (token: string) => visit(token, { Accept: 'application/json', 'User-Agent': 'Mozilla/5.0 MailScanner' }),
      200,
    ],
    [
      'a program that refuses JSON',
      () => (token: string) => visit(token, { Accept: 'application/json;q=0, */*' }),
      200,
    ],
  ])('is not spent by %s', async (_, way, status) => {
    const token = await mailed();

    for (let times = 0; times < 3; times += 1) expect((await way()(token)).status).toBe(status);

    expect((await verifyLink(service, token)).status).toBe(200);
  });

  it('shows browsers a page with a button, whatever was added to its address', async () => {
    const token = await mailed();

    const page = await visit(`%20${token}%0A&utm_source=mail&fbclid=x`, { Accept: BROWSER });

    expect(page.status).toBe(200);
    expect(page.text).toContain(`value="${token}"`);
    expect(page.text.match(/<button/g)).toHaveLength(1);
    expect(page.text).not.toContain('<script');
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'strict-origin',
    });
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-.+'; form-action 'self' https:\/\/console.example.com com.example.app:; base-uri 'none'; frame-ancestors 'none'$/,
    );
  });

  it('is signed in with though white space was copied along', async () => {
    expect((await verifyLink(service, ` ${await mailed()}\r\n`)).status).toBe(200);
  });

  it('shows nothing of a token that is none', async () => {
    const { status, text } = await visit(encodeURIComponent('"><script>alert(1)</script>'), { Accept: BROWSER });

    expect([status, text]).toEqual([400, expect.not.stringContaining('script')]);
  });

  it('ends for a browser with a cookie that refreshes, and no token on the page', async () => {
    const token = await mailed();

    const page = await post(token, { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' });

    expect([page.status, page.type]).toEqual([200, 'text/html']);
    expect(page.text).toContain('You are signed in');
    expect(page.text).not.toMatch(/cmsr_|eyJ/);
    const [cookie = ''] = cookiesOf(page);
    expect(cookie).toMatch(/^cms_refresh=cmsr_.+; Path=\/api\/auth; HttpOnly; SameSite=Strict$/);
    expect(cookiesOf(page)[1]).toMatch(/^cms_device=/);
    const refreshed = await service
      .anonymous()
      .post('/api/auth/refresh')
      .set('Cookie', cookie.split(';')[0] ?? '');
    expect([refreshed.status, refreshed.body.token_type]).toEqual([200, 'Bearer']);
  });

  it('leads a browser to where it was begun, with a code that is exchanged for tokens once', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const token = await mailed({
      redirect_to: TARGET,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    });

    const away = await post(token);
    const target = new URL(String(away.headers.location));
    expect([away.status, target.origin, target.searchParams.get('tab')]).toEqual([
      303,
      'https://console.example.com',
      '1',
    ]);
    expect(cookiesOf(away)).toEqual([]);
    const code = target.searchParams.get('code');
    const exchange = (body: object) => service.anonymous().post('/api/auth/exchange').send(body);

    expectError(await exchange({ code }), 'invalid_code_exchange');
    const { status, body } = await exchange({ code, code_verifier: verifier });
    expect([status, body.token_type]).toEqual([200, 'Bearer']);
    expectError(await exchange({ code, code_verifier: verifier }), 'invalid_code_exchange');
    expectError(await verifyLink(service, token), 'invalid_link');
  });

  it.each([
    'https://evil.example/signed-in',
    'https://console.example.com.evil.example/signed-in?tab=1',
    'https://console.example.com/signed-in?tab=1&x',
    'https://console.example.com/signed-in?tab=1#x',
    'https://console.example.com/signed-in?tab=2',
    'HTTPS://console.example.com/signed-in?tab=1',
    'https://console.example.com@evil.example/signed-in?tab=1',
    '//evil.example',
    'javascript:alert(1)',
    '',
  ])('never leads to an address that is not on the list: %s', async (target) => {
    expectError(await sendLink(service, 'ann@example.com', { redirect_to: target }), 'validation_failed');
  });

  it('takes no form of another site’s page, which would sign a visitor in as its owner', async () => {
    const token = await mailed();

    const foreign = ['cross-site', 'same-site', 'none'].map((site) => ({ 'Sec-Fetch-Site': site }));
    // A sandboxed frame has the origin `null`, and older browsers send no `Sec-Fetch-Site`.
    for (const headers of [...foreign, { Origin: 'https://evil.example' }, { Origin: 'null' }]) {
      const refused = await post(token, headers);
      expect([refused.status, refused.type]).toEqual([403, 'text/html']);
      expect(cookiesOf(refused)).toEqual([]);
    }

    expect((await post(token, { Origin: service.app.get(Settings).publicUrl })).status).toBe(200);
  });

  it('that is used up ends for a browser on a page that says so', async () => {
    const token = await mailed();
    await verifyLink(service, token);

    const page = await post(token);

    expect([page.status, page.type]).toEqual([401, 'text/html']);
    expect(page.text).toContain('was used before');
  });

  it('that is used up, over or made up says so as soon as it is opened, each in the same words', async () => {
    const [used, late, unknown] = [await mailed(), await mailed(), randomBytes(32).toString('base64url')];
    await verifyLink(service, used);

    putClockAhead(service, 601);
    const pages = await Promise.all([used, late, unknown].map((token) => visit(token, { Accept: BROWSER })));
    const json = await visit(used);

    expect(pages.map(({ status, type }) => [status, type])).toEqual(Array(3).fill([410, 'text/html']));
    expect(pages[0]?.text).toContain('has expired. Ask for a new link on the sign-in page.<');
    expect(pages[0]?.text).toContain('<a href="../../../">Go to the start page</a>');
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    expectError(json, 'link_over');
  });

  it.each([['short'], ['x'.repeat(44)], [`${'x'.repeat(42)}=`], ['']])(
    'is refused when it cannot be one: %p',
    async (token) => {
      expectError(await verifyLink(service, token), 'invalid_link');
    },
  );

  it('opens one session when it is followed twenty times at once', async () => {
    const token = await mailed();

    const answers = await Promise.all(Array.from({ length: 20 }, () => verifyLink(service, token)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  it('leads to the page that the settings name, as a link for a new password does', async () => {
    const other = await startTestApp({ ...mailbox.environment, MAGIC_LINK_URL: 'https://console.example.com/in?a=b' });
    const { email } = await aPerson(other, { email: 'elsewhere@example.com' });

    await sendLink(other, email);

    expect((await mailbox.next(email)).link).toMatch(
      /^https:\/\/console\.example\.com\/in\?a=b&token=[\w-]{43}&purpose=sign_in$/,
    );
    await other.anonymous().post('/api/auth/password/forgot').send({ email }).expect(200);
    expect((await mailbox.next(email)).link).toMatch(/\?a=b&token=[\w-]{43}&purpose=password_reset$/);
    await other.close();
  });
});
