import { putClockAhead } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { LinkedApp } from '../../support/linked-app.js';
import { ProviderBrowser } from '../../support/provider-browser.js';

const PAGE = 'https://console.example.com/linked';

describe('POST /api/auth/{provider}/link', () => {
  let app: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start({
      SIGNUP: 'open',
      REDIRECT_ALLOW_LIST: PAGE,
      CORS_ORIGINS: 'https://console.example.com',
    });
  });

  afterEach(() => {
    jest.restoreAllMocks();
    app.provider.behaviour = {};
  });

  afterAll(() => app.stop());

  const begin = (token: string, body: object = {}, name = 'google') =>
    app.service.http(token).post(`/api/auth/${name}/link`).send(body);
  const open = (path: string, headers: Record<string, string> = {}) =>
    app.service.anonymous().get(path).redirects(0).set(headers);
  const OWN = { 'Sec-Fetch-Site': 'same-origin' };
  const JSON_ONLY = { Accept: 'application/json' };
  /** Posts the form of the page, in a browser that was shown it. */
  async function confirm(path: string, headers: Record<string, string> = OWN, shown = path) {
    const cookie = String((await open(shown)).headers['set-cookie']).split(';')[0] ?? '';
    return app.service
      .anonymous()
      .post(path)
      .type('form')
      .redirects(0)
      .set({ ...JSON_ONLY, Cookie: cookie, ...headers });
  }

  async function person() {
    const email = `p${(count += 1)}@corp.example`;
    return { email, id: await app.user(email), session: await app.session(email) };
  }

  async function addressFor(session: string, body: object = {}): Promise<string> {
    const answer = await begin(session, body);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: { url: expect.stringMatching(/^http.*\/api\/auth\/google\/redirect\?link=[\w-]{43}$/), expires_in: 120 },
      },
    ]);
    const { pathname, search } = new URL(answer.body.data.url as string);
    return pathname + search;
  }

  /** From our own page to the provider and back. */
  async function goOn(path: string, claims: object, from: Record<string, string> = OWN) {
    app.provider.behaviour = { claims: { email_verified: false, ...claims } };
    const begun = await confirm(path, from);
    expect(begun.status).toBe(302);
    const { headers } = await fetch(String(begun.headers.location), { redirect: 'manual' });
    const { pathname, search } = new URL(headers.get('location') ?? '');
    const browser = new ProviderBrowser(app.service);
    const [name = '', value = ''] = String(begun.headers['set-cookie']).split(';')[0]?.split(/=(.*)/) ?? [];
    browser.cookies.set(name, value);
    return browser.get(pathname + search);
  }

  it('gives an address by which a browser without a cookie links an identity', async () => {
    const { email, id, session } = await person();
    const path = await addressFor(session);

    const answer = await goOn(path, { sub: `g-${email}`, email: 'private@elsewhere.example' });

    expect([answer.status, answer.body.user?.id]).toEqual([200, id]);
    expect(await app.identities(id)).toEqual([`google g-${email}`]);
  });

  it('leads back to where that was said', async () => {
    const { email, id, session } = await person();
    const path = await addressFor(session, { redirect_to: PAGE, code_challenge: 'x'.repeat(43) });

    const answer = await goOn(path, { sub: `g-${email}`, email });

    expect(String(answer.headers.location)).toMatch(/^https:\/\/console\.example\.com\/linked\?code=[\w-]{43}$/);
    expect(await app.identities(id)).toHaveLength(1);
  });

  it.each(['cross-site', 'same-site', 'same-origin', 'none', undefined])(
    'has a browser that comes from %s shown the account, and spends nothing by that',
    async (site) => {
      const { email, session } = await person();
      const path = await addressFor(session);
      const look = () => open(path, site === undefined ? {} : { 'Sec-Fetch-Site': site });

      for (const { status, type, text, headers } of [await look(), await look()]) {
        expect([status, type]).toEqual([200, 'text/html']);
        expect(headers['set-cookie']).toEqual([
          expect.stringMatching(/^cms_link=[0-9a-f]{64}; Path=\/; Max-Age=120; HttpOnly; SameSite=Strict$/),
        ]);
        expect(text).toContain(`<strong>${email}</strong>`);
        expect(text).toContain(`<form method="post" action="${path.replace('/api/auth/google/', '')}">`);
        expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'same-origin']);
      }
      expect((await goOn(path, { sub: `s-${email}`, email })).status).toBe(200);
    },
  );

  it('is not spent by HEAD', async () => {
    const { email, session } = await person();
    const path = await addressFor(session);

    await app.service.anonymous().head(path).set('Sec-Fetch-Site', 'same-origin').redirects(0);

    expect((await goOn(path, { sub: `h-${email}`, email })).status).toBe(200);
  });

  it('is good once, for two minutes, for that provider', async () => {
    const { session } = await person();
    const [used, other, late] = [await addressFor(session), await addressFor(session), await addressFor(session)];
    const cookie = String((await open(used)).headers['set-cookie']).split(';')[0] ?? '';
    const post = (path: string, shown = cookie) =>
      app.service
        .anonymous()
        .post(path)
        .type('form')
        .redirects(0)
        .set({ ...JSON_ONLY, Cookie: shown, ...OWN });
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(used)));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, ...Array(7).fill(400)]);
    expectError(await open(used), 'invalid_state');
    expectError(await confirm(other.replace('google', 'apple'), OWN, other), 'invalid_state');
    const shown = String((await open(late)).headers['set-cookie']).split(';')[0] ?? '';
    putClockAhead(app.service, 121);
    expectError(await post(late, shown), 'invalid_state');
    expectError(await open(late), 'invalid_state');
    expectError(await open('/api/auth/google/redirect?link=junk'), 'invalid_state');
    expectError(await post('/api/auth/google/redirect'), 'invalid_query');
  });

  it('is no address of another provider, and not spent there', async () => {
    const { email, id, session } = await person();
    const path = await addressFor(session);
    const elsewhere = path.replace('google', 'apple');

    expectError(await open(elsewhere, JSON_ONLY), 'invalid_state');
    expectError(await confirm(elsewhere, OWN, path), 'invalid_state');

    expect((await goOn(path, { sub: `w-${email}`, email })).status).toBe(200);
    expect(await app.identities(id)).toHaveLength(1);
  });

  describe('is gone on from where a browser does not know Sec-Fetch-Site', () => {
    const URL_OF_PAGE = 'http://localhost:3000/api/auth/google/redirect?link=x';

    it.each([
      ['the origin of the service', { Origin: 'http://localhost:3000' }],
      ['an origin of CORS_ORIGINS', { Origin: 'https://console.example.com' }],
      ['a page of the service', { Referer: URL_OF_PAGE }],
    ])('and its form comes from %s', async (_, headers) => {
      const { email, id, session } = await person();

      const answer = await goOn(await addressFor(session), { sub: `o-${email}`, email }, headers);

      expect([answer.status, answer.body.user?.id]).toEqual([200, id]);
    });

    it.each<[string, Record<string, string>]>([
      ['another origin', { Origin: 'https://evil.example' }],
      ['a hidden origin', { Origin: 'null' }],
      ['a hidden origin and a page of the service', { Origin: 'null', Referer: URL_OF_PAGE }],
      ['a page of another origin', { Referer: 'https://evil.example/http://localhost:3000/' }],
      ['something that is no address', { Referer: 'localhost:3000' }],
      ['nowhere that it names', {}],
      [
        'another site in a browser that says so',
        { ...{ Origin: 'http://localhost:3000' }, 'Sec-Fetch-Site': 'cross-site' },
      ],
      [
        'a console in a browser that says so',
        { ...{ Origin: 'https://console.example.com' }, 'Sec-Fetch-Site': 'same-site' },
      ],
    ])('and is refused, unspent, where its form comes from %s', async (_, headers) => {
      const { email, session } = await person();
      const path = await addressFor(session);

      expectError(await confirm(path, headers), 'csrf_rejected');

      expect((await goOn(path, { sub: `r-${email}`, email })).status).toBe(200);
    });
  });

  it('is refused in a browser that was not shown the page, or that of another link', async () => {
    const { session } = await person();
    const [path, other] = [await addressFor(session), await addressFor(session)];

    expectError(
      await app.service
        .anonymous()
        .post(path)
        .type('form')
        .set({ ...JSON_ONLY, ...OWN }),
      'csrf_rejected',
    );
    expectError(await confirm(path, OWN, other), 'csrf_rejected');
  });

  it('has a refused browser shown what to do', async () => {
    const { session } = await person();
    const path = await addressFor(session);

    const page = await confirm(path, { Accept: 'text/html' });

    expect([page.status, page.type]).toEqual([403, 'text/html']);
    expect(page.text).toContain('allow cookies, or begin again in another browser.');
    expect(page.text).toContain(`<a href="${path.replace('/api/auth/google/', '')}">Try again</a>`);
  });

  it('takes a fresh session of a user, and nothing else', async () => {
    const { session } = await person();

    expectError(await app.service.anonymous().post('/api/auth/google/link').send({}), 'unauthorized');
    expectError(await app.service.http().post('/api/auth/google/link').send({}), 'invalid_token');
    putClockAhead(app.service, 601);
    expectError(await begin(session), 'insufficient_user_authentication');
  });

  it('refuses what redirect refuses', async () => {
    const { session } = await person();

    expectError(await begin(session, { redirect_to: 'https://evil.example/' }), 'invalid_query');
    expectError(await begin(session, { code_challenge: 'x'.repeat(43) }), 'invalid_query');
    expectError(await begin(session, { redirect_to: 7 }), 'validation_failed');
    expectError(await begin(session, { more: 1 }), 'validation_failed');
    expectError(await open(`${await addressFor(session)}&redirect_to=x`), 'invalid_query');
    expectError(await begin(session, {}, 'nothing'), 'not_found');
  });

  it('does not link where the session ends meanwhile', async () => {
    const { email, id, session } = await person();
    const path = await addressFor(session);
    await app.service.http(session).post('/api/auth/logout').expect(204);

    expectError(await goOn(path, { sub: `e-${email}`, email }), 'invalid_token');
    expect(await app.identities(id)).toEqual([]);
  });
});
