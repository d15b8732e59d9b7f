import type { ProviderName } from '../../../src/config/provider-settings.js';
import { Reads } from '../../../src/database/statements/reads.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { execute } from '../../../src/database/statements/statement.js';
import { expectError } from '../../support/errors.js';
import { Audit } from '../../../src/audit/audit.js';
import { MockIdentityProvider } from '../../support/identity-provider.js';
import { Mailbox, waitFor } from '../../support/mailbox.js';
import { ProviderBrowser } from '../../support/provider-browser.js';
import { PREPARED } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const PASSWORD = 'correct horse battery';

describe('The account of a user who signs in with a provider', () => {
  let provider: MockIdentityProvider;
  let service: TestApp;
  let mailbox: Mailbox;
  let people = 0;

  beforeAll(async () => {
    provider = await MockIdentityProvider.start();
    mailbox = await Mailbox.open();
    service = await startTestApp({ ...provider.environment, ...mailbox.environment, RATE_LIMITS: 'off' });
  });

  afterEach(() => {
    jest.restoreAllMocks();
    provider.behaviour = {};
  });

  afterAll(async () => {
    await service.close();
    await mailbox.close();
    await provider.stop();
  });

  const someone = (domain = 'gmail.com') => `person${(people += 1)}@${domain}`;
  const select = <Row>(sql: string, ...values: (string | number)[]) => service.app.get(Reads).select<Row>(sql, values);
  const write = (sql: string, ...values: (string | number)[]) =>
    service.app.get(UnitOfWork).run((manager) => execute(manager, sql, values));
  const identitiesOf = (userId: number) =>
    select<{ provider: string; subject: string }>(
      'SELECT provider, subject FROM auth_identities WHERE user_id = ?',
      userId,
    );
  const login = (email: string) => service.anonymous().post('/api/auth/login').send({ email, password: PASSWORD });
  const me = (token: string) => service.http(token).get('/api/auth/me');

  async function register(email: string, { isVerified = true } = {}): Promise<number> {
    const { body } = await service
      .http()
      .post('/api/users')
      .send({ name: 'Known', email, password: PASSWORD })
      .expect(201);
    if (isVerified) await write('UPDATE users SET email_verified_at = ? WHERE id = ?', Date.now(), body.id as number);
    else await write(PREPARED, body.id as number);
    return body.id as number;
  }

  function signIn(name: ProviderName, claims: object, user = new ProviderBrowser(service)) {
    provider.behaviour = { claims: { email_verified: true, ...claims } };
    return user.signIn(name);
  }

  /** What the audit has of an event, once it is written. */
  const eventsOf = (event: string, column: 'email' | 'reason', value: string) =>
    waitFor(async () => {
      await service.app.get(Audit).write();
      const sql = `SELECT event, outcome, provider FROM auth_events WHERE event = ? AND ${column} = ?`;
      const rows = await select<object>(sql, event, value);
      return rows.length > 0 ? rows : null;
    }, `an event ${event} about ${value}`);

  it('is the one with the verified address, and its owner hears of the link', async () => {
    const email = someone();
    const id = await register(email);
    const { body } = await signIn('google', { sub: email, email: email.toUpperCase() });

    expect(body.user).toMatchObject({ id, email });
    expect(await identitiesOf(id)).toEqual([{ provider: 'google', subject: email }]);
    const letter = await mailbox.next(email);
    expect([letter.subject, letter.text]).toEqual([
      'Google was linked to your account',
      expect.stringContaining('Was this not you?'),
    ]);
    expect(await eventsOf('provider.link', 'email', email)).toEqual([
      { event: 'provider.link', outcome: 'success', provider: 'google' },
    ]);
    expect((await login(email)).status).toBe(200);
  });

  it.each(['true', true])('goes by an address that the provider calls verified with %j', async (flag) => {
    const email = someone('icloud.com');
    const id = await register(email);

    const { body } = await signIn('apple', { sub: email, email, email_verified: flag, is_private_email: 'true' });

    expect(body.user.id).toBe(id);
  });

  it.each([false, 'false', 'yes', 1, null, undefined])(
    'does not go by an address with email_verified %j',
    async (flag) => {
      const email = someone();
      const id = await register(email);

      expectError(await signIn('apple', { sub: email, email, email_verified: flag }), 'provider_email_unverified');
      expect(await identitiesOf(id)).toEqual([]);
    },
  );

  it.each([undefined, '', 'no address', 'K\u212aelvin@gmail.com', 7])(
    'needs an address that mail goes to, not %j',
    async (email) => {
      expectError(await signIn('google', { sub: 'nobody', email }), 'provider_email_unverified');
    },
  );

  it('is not the one of a look-alike of the address', async () => {
    const email = `kelvin${someone()}`;
    const id = await register(email);

    const answer = await signIn('oidc', { sub: 'look-alike', email: email.replace('k', '\u212a') });

    expectError(answer, 'provider_email_unverified');
    expect(await identitiesOf(id)).toEqual([]);
  });

  it('is theirs alone, where another person signed up with their address before', async () => {
    const email = someone();
    const id = await register(email, { isVerified: false });
    const thief = (await login(email)).body;
    const linked = await service
      .http(thief.token)
      .post('/api/auth/oidc/token')
      .send({
        id_token: await provider.idToken({
          sub: `thief-${email}`,
          aud: 'oidc-app',
          nonce: email,
          email: 'thief@gmail.com',
        }),
        nonce: email,
      });
    expect([linked.status, linked.body.user?.id]).toEqual([200, id]);

    const { body } = await signIn('google', { sub: email, email });

    expect(body.user).toMatchObject({ id, email_verified: true });
    expectError(await login(email), 'invalid_credentials');
    expectError(await me(thief.token), 'invalid_token');
    expectError(await me(linked.body.token), 'invalid_token');
    expectError(
      await service.anonymous().post('/api/auth/refresh').send({ refresh_token: thief.refresh_token }),
      'invalid_refresh_token',
    );
    expect(await identitiesOf(id)).toEqual([{ provider: 'google', subject: email }]);
    expectError(await signIn('oidc', { sub: `thief-${email}`, email: 'thief@gmail.com' }), 'signup_closed');
    expect((await me(body.token)).status).toBe(200);
    const { body: audit } = await service.http().get(`/api/admin/audit?user_id=${id}&event=account.stripped`);
    expect(audit.data).toMatchObject([
      {
        email,
        actor: null,
        ip: '127.0.0.1',
        request_id: expect.any(String),
        details: { password: true, sessions: 2, identities: 1, tokens: 0 },
      },
    ]);
  });

  it('is out of reach while it is disabled, by a linked identity and by its address', async () => {
    const [linked, unlinked] = [someone(), someone()];
    const ids = [await register(linked), await register(unlinked)];
    await signIn('google', { sub: linked, email: linked });
    for (const id of ids) await service.http().put(`/api/users/${id}`).send({ disabled: true }).expect(200);

    expectError(await signIn('google', { sub: linked, email: linked }), 'account_disabled');
    expectError(await signIn('google', { sub: unlinked, email: unlinked }), 'account_disabled');
  });

  it('stays theirs by the identity, and no other by the address, when an admin changes the address', async () => {
    const [before, after] = [someone(), someone()];
    const id = await register(before);
    await signIn('google', { sub: before, email: before });
    await service.http().put(`/api/users/${id}`).send({ email: after }).expect(200);

    expectError(await signIn('apple', { sub: before, email: before }), 'signup_closed');
    const { body } = await signIn('google', { sub: before, email: before });
    expect(body.user).toMatchObject({ id, email: after, email_verified: false });
  });

  it('belongs to no user any more once the user is gone', async () => {
    const email = someone();
    const id = await register(email);
    await signIn('google', { sub: email, email });
    await service.http().delete(`/api/users/${id}`).expect(204);

    expectError(await signIn('google', { sub: email, email }), 'signup_closed');
    const again = await register(email);
    expect((await signIn('google', { sub: email, email })).body.user.id).toBe(again);
  });

  it('distinguishes the same subject of two providers', async () => {
    const [one, other] = [someone(), someone('me.com')];
    const ids = [await register(one), await register(other)];

    expect((await signIn('google', { sub: 'same', email: one })).body.user.id).toBe(ids[0]);
    expect((await signIn('apple', { sub: 'same', email: other })).body.user.id).toBe(ids[1]);
    expect((await signIn('google', { sub: 'SAME', email: other, hd: 'me.com' })).body.user.id).toBe(ids[1]);
  });

  it('has its sign-ins in the audit, and those that failed', async () => {
    const email = someone('mac.com');
    await register(email);
    await signIn('apple', { sub: email, email });
    await signIn('apple', { sub: email, email, aud: 'somebody-else' });

    expect(await eventsOf('provider.sign_in', 'email', email)).toEqual([
      { event: 'provider.sign_in', outcome: 'success', provider: 'apple' },
    ]);
    expect(await eventsOf('provider.sign_in', 'reason', 'invalid_id_token')).toContainEqual({
      event: 'provider.sign_in',
      outcome: 'failure',
      provider: 'apple',
    });
  });

  describe('of a user who is signed in', () => {
    const linking = (token: string, sub: string) => async (claims: object) => {
      const idToken = await provider.idToken({ sub, aud: 'google-ios', nonce: sub, ...claims });
      return service.http(token).post('/api/auth/google/token').send({ id_token: idToken, nonce: sub });
    };

    it('gets the identity, whatever address it has', async () => {
      const email = someone();
      const id = await register(email);
      const { token } = (await login(email)).body;

      const answer = await linking(
        token,
        `own-${email}`,
      )({ email: 'private@elsewhere.example', email_verified: false });

      expect([answer.status, answer.body.user?.id]).toEqual([200, id]);
      expect(await identitiesOf(id)).toEqual([{ provider: 'google', subject: `own-${email}` }]);
      expect((await mailbox.next(email)).subject).toBe('Google was linked to your account');
    });

    it.each([
      ['which says that it comes from its own site', { 'Sec-Fetch-Site': 'same-origin' }],
      ['which names the page that it comes from', { Referer: 'http://localhost:3000/console' }],
    ])('gets it through a browser with its cookie, %s', async (_, own) => {
      const email = someone();
      const id = await register(email);
      const { headers } = await service
        .anonymous()
        .post('/api/auth/login')
        .send({ email, password: PASSWORD, mode: 'cookie' });
      const [cookie = ''] = (headers['set-cookie'] as unknown as string[])[0]?.split(';') ?? [];
      provider.behaviour = {
        claims: { sub: `web-${email}`, email: 'private@elsewhere.example', email_verified: false },
      };
      const begin = (headers: object, query: string) =>
        service
          .anonymous()
          .get(`/api/auth/google/redirect${query}`)
          .set({ Cookie: cookie, ...headers });
      const finish = async (headers: object, query = '?as=link') => {
        const begun = await begin(headers, query);
        const location =
          (await fetch(String(begun.headers.location), { redirect: 'manual' })).headers.get('location') ?? '';
        const { pathname, search } = new URL(location);
        const flow = (begun.headers['set-cookie'] as unknown as string[])[0]?.split(';')[0] ?? '';
        return service
          .anonymous()
          .get(pathname + search)
          .set('Cookie', flow);
      };

      for (const headers of [
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site', Referer: 'http://localhost:3000/console' },
        { Referer: 'https://evil.example/console' },
        {},
      ]) {
        expectError(await finish(headers), 'provider_email_unverified');
      }
      // Not asked for, it is a sign-in.
      expectError(await finish(own, ''), 'provider_email_unverified');
      expect((await finish(own)).body.user).toMatchObject({ id });
    });

    it('is refused with a token that is no session', async () => {
      const answer = await service.http().post('/api/auth/google/token').send({ id_token: 'x', nonce: 'x' });

      expectError(answer, 'invalid_token');
    });
  });
});
