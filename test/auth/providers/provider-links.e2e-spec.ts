import { execute } from '../../../src/database/statements/statement.js';
import { Accounts } from '../../../src/users/rows/accounts.js';
import { expectError } from '../../support/errors.js';
import { putClockAhead } from '../../support/clock.js';
import { LinkedApp } from '../../support/linked-app.js';
import { ProviderBrowser } from '../../support/provider-browser.js';
import { PASSWORD } from '../../support/sign-in.js';

const TEN_MINUTES = 600;

describe('Linking an identity', () => {
  let app: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start({ SIGNUP: 'open' });
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  const address = () => `l${(count += 1)}@corp.example`;
  async function cookieOf(email: string): Promise<string> {
    const body = { email, password: PASSWORD, mode: 'cookie' };
    const { headers } = await app.service.anonymous().post('/api/auth/login').send(body);
    return String(headers['set-cookie']).split(';')[0] ?? '';
  }

  const ask = (where: LinkedApp, session: string) => where.service.http(session).post('/api/auth/google/link').send({});
  const users = async (): Promise<number> => (await app.service.http().get('/api/users')).body.length as number;
  /** An id_token of the time that the service believes it is. */
  const later = (seconds: number) => {
    const now = Math.floor(Date.now() / 1_000);
    putClockAhead(app.service, seconds);
    return { iat: now + seconds, exp: now + seconds + 60 };
  };

  it('takes a session of at most ten minutes', async () => {
    const email = address();
    const id = await app.user(email);
    const session = await app.session(email);
    const before = await users();

    const fresh = await app.token(
      'google',
      { email: 'x@elsewhere.example', sub: `in ${email}`.replace(' ', '-') },
      session,
    );
    const times = later(TEN_MINUTES + 1);
    const late = await app.token('google', { email: 'y@elsewhere.example', sub: `late-${email}`, ...times }, session);

    expect(fresh.body.user).toMatchObject({ id });
    expectError(late, 'insufficient_user_authentication');
    expect(late.headers['www-authenticate']).toBe(
      'Bearer realm="cms", error="insufficient_user_authentication", max_age="600"',
    );
    expect(await users()).toBe(before);
    expect(await app.identities(id)).toEqual([`google in-${email}`]);
  });

  it('takes no session that was ended while the account was waited for', async () => {
    const email = address();
    const id = await app.user(email);
    const session = await app.session(email);
    const accounts = app.service.app.get(Accounts);
    const lock = accounts.lock.bind(accounts);
    const locked = jest.spyOn(accounts, 'lock').mockImplementation(async (manager, userId) => {
      if (userId === id) await execute(manager, 'UPDATE auth_sessions SET revoked_at = 1 WHERE user_id = ?', [userId]);
      return lock(manager, userId);
    });

    const late = await app.token('google', { email: 'x@elsewhere.example', sub: `ended-${email}` }, session);

    locked.mockRestore();
    expectError(late, 'invalid_token');
    expect(await app.identities(id)).toEqual([]);
  });

  it('takes a session of any age after a step-up, and no access token from before it', async () => {
    const email = address();
    const id = await app.user(email);
    const session = await app.session(email);
    const times = later(TEN_MINUTES + 1);
    expectError(await ask(app, session), 'insufficient_user_authentication');

    const { body } = await app.service.http(session).post('/api/auth/step-up').send({ password: PASSWORD }).expect(200);
    const link = (sub: string, token: string) =>
      app.token('google', { email: 'x@elsewhere.example', sub, ...times }, token);
    const stolen = await link(`old-${email}`, session);
    const linked = await link(`up-${email}`, body.token as string);

    expectError(stolen, 'insufficient_user_authentication');
    expectError(await ask(app, session), 'insufficient_user_authentication');
    expect([linked.status, (await ask(app, body.token as string)).status]).toEqual([200, 200]);
    expect(await app.identities(id)).toEqual([`google up-${email}`]);
  });

  it('goes by the access token that has begun a way through the provider, whatever step-up comes meanwhile', async () => {
    const email = address();
    const id = await app.user(email);
    const session = await app.session(email);
    const times = later(TEN_MINUTES + 1);
    const claims = { sub: `flow-${email}`, email: 'x@elsewhere.example', email_verified: true, ...times };
    app.provider.behaviour = { claims };
    const begun = await app.service.http(session).get('/api/auth/google/redirect').redirects(0);
    const { headers } = await fetch(String(begun.headers.location), { redirect: 'manual' });
    const { pathname, search } = new URL(headers.get('location') ?? '');
    await app.service.http(session).post('/api/auth/step-up').send({ password: PASSWORD }).expect(200);

    const flow = String(begun.headers['set-cookie']).split(';')[0] ?? '';
    const answer = await app.service
      .anonymous()
      .get(pathname + search)
      .set('Cookie', flow);

    expectError(answer, 'insufficient_user_authentication');
    expect(await app.identities(id)).toEqual([]);
  });

  it('is a sign-in, at any age of the session, for an identity that is linked to its user', async () => {
    const email = address();
    const id = await app.user(email);
    const session = await app.session(email);
    expect((await app.token('google', { email }, session)).status).toBe(200);

    const { status, body } = await app.token('google', { email, ...later(TEN_MINUTES + 60) }, session);

    expect([status, body.user?.id]).toEqual([200, id]);
  });

  it('leaves the session with its user where the identity is that of another one', async () => {
    const [mine, theirs] = [address(), address()];
    await app.user(mine);
    const id = await app.user(theirs);
    await app.token('google', { email: theirs }, await app.session(theirs));
    const session = await app.session(mine);

    const fresh = await app.token('google', { email: theirs }, session);
    const late = await app.token('google', { email: theirs, ...later(TEN_MINUTES + 1) }, session);

    for (const answer of [fresh, late]) expectError(answer, 'identity_taken');
    expect(await app.identities(id)).toEqual([`google ${theirs}`]);
  });

  it('is a sign-in with an id_token that comes from a page of its own beside a cookie alone', async () => {
    const [email, other] = [address(), address()];
    const id = await app.user(email);
    const cookie = await cookieOf(email);
    const claims = { sub: other, email: other, email_verified: true, aud: 'google-ios', nonce: other };

    const { status, body } = await app.service
      .anonymous()
      .post('/api/auth/google/token')
      .set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' })
      .send({ id_token: await app.provider.idToken(claims), nonce: other });

    expect([status, body.user?.email]).toEqual([200, other]);
    expect(await app.identities(id)).toEqual([]);
  });

  describe('in a browser that has the cookie of a session', () => {
    async function goRound(
      cookie: string,
      claims: object,
      accept = '*/*',
    ): Promise<ReturnType<ProviderBrowser['get']>> {
      app.provider.behaviour = { claims: { email_verified: true, ...claims } };
      const begun = await app.service
        .anonymous()
        .get('/api/auth/google/redirect?as=link')
        .set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' });
      const { headers } = await fetch(String(begun.headers.location), { redirect: 'manual' });
      const { pathname, search } = new URL(headers.get('location') ?? '');
      const flow = String(begun.headers['set-cookie']).split(';')[0] ?? '';
      return app.service
        .anonymous()
        .get(pathname + search)
        .set({ Cookie: flow, Accept: accept });
    }

    it('makes no new account of an identity where the session is older', async () => {
      const email = address();
      const id = await app.user(email);
      const cookie = await cookieOf(email);
      const before = await users();

      const answer = await goRound(cookie, {
        sub: `w-${email}`,
        email: 'z@elsewhere.example',
        ...later(TEN_MINUTES + 1),
      });

      expectError(answer, 'insufficient_user_authentication');
      expect([await users(), await app.identities(id)]).toEqual([before, []]);
    });

    it('has a page without a way that would begin a sign-in in its place, where it fails', async () => {
      const email = address();
      await app.user(email);
      const cookie = await cookieOf(email);

      const claims = { sub: `p-${email}`, email: 'p@elsewhere.example', ...later(TEN_MINUTES + 1) };
      const page = await goRound(cookie, claims, 'text/html');

      expect([page.status, page.type]).toEqual([401, 'text/html']);
      expect(page.text).not.toContain('Begin again');
      expect(page.text).not.toMatch(/href="[^"]*redirect/);
    });

    it('signs in where the session has ended', async () => {
      const email = address();
      await app.user(email);
      const cookie = await cookieOf(email);
      await app.service.anonymous().post('/api/auth/logout').set('Cookie', cookie).expect(204);

      const { status, body } = await goRound(cookie, { sub: `n-${email}`, email: `new-${email}` });

      expect([status, body.user?.email]).toEqual([200, `new-${email}`]);
    });

    it('is over where the session ends on the way', async () => {
      const email = address();
      await app.user(email);
      const cookie = await cookieOf(email);
      app.provider.behaviour = { claims: { sub: `o-${email}`, email: `o-${email}`, email_verified: true } };
      const browser = new ProviderBrowser(app.service);
      const begun = await app.service
        .anonymous()
        .get('/api/auth/google/redirect?as=link')
        .set({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' });
      await app.service.anonymous().post('/api/auth/logout').set('Cookie', cookie).expect(204);
      const { headers } = await fetch(String(begun.headers.location), { redirect: 'manual' });
      const { pathname, search } = new URL(headers.get('location') ?? '');
      const [name = '', value = ''] = String(begun.headers['set-cookie']).split(';')[0]?.split(/=(.*)/) ?? [];
      browser.cookies.set(name, value);

      expectError(await browser.get(pathname + search), 'invalid_token');
    });
  });
});
