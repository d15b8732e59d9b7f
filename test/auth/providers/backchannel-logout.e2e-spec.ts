import type { JWTPayload } from 'jose';
import type { Response } from 'supertest';
import { putClockAhead } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import { LinkedApp } from '../../support/linked-app.js';
import { ProviderBrowser } from '../../support/provider-browser.js';
import { startTestApp } from '../../support/test-app.js';

const PATH = '/api/auth/oidc/backchannel-logout';
const PAGE = 'https://console.example.com/signed-in';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

describe('A logout that the provider sends', () => {
  let app: LinkedApp;
  let beside: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    const settings = { SIGNUP: 'open', REDIRECT_ALLOW_LIST: PAGE };
    app = await LinkedApp.start(settings);
    beside = await LinkedApp.start(settings, app);
  });

  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await beside.stop();
    await app.stop();
  });

  const address = () => `b${(count += 1)}@corp.example`;
  const post = (form: object, where = app): PromiseLike<Response> =>
    where.service.anonymous().post(PATH).type('form').send(form);
  const send = async (claims: JWTPayload, header?: object) =>
    post({ logout_token: await app.provider.logoutToken(claims, header) });
  const status = async (token: string, where = app) => (await where.service.http(token).get('/api/auth/me')).status;
  const session = async (email: string, claims: JWTPayload = {}, name: 'oidc' | 'google' = 'oidc'): Promise<string> => {
    const { body } = await app.token(name, { email, ...claims });
    return body.token as string;
  };

  it('ends the session of the provider and no other one, here at once and elsewhere within five seconds', async () => {
    const email = address();
    const [one, same, other] = [
      await session(email, { sid: `a-${email}` }),
      await session(email, { sid: `a-${email}` }),
      await session(email, { sid: `b-${email}` }),
    ];
    expect([await status(one), await status(one, beside)]).toEqual([200, 200]);

    const answer = await send({ sid: `a-${email}`, sub: email });

    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([200, '', 'no-store']);
    expect([await status(one), await status(same), await status(other)]).toEqual([401, 401, 200]);
    putClockAhead(beside.service, 5);
    expect(await status(one, beside)).toBe(401);
    const events = await app.select(
      'SELECT provider, reason, details FROM auth_events WHERE reason = ?',
      'provider_logout',
    );
    expect(events).toEqual([{ provider: 'oidc', reason: 'provider_logout', details: '{"sessions":2}' }]);
  });

  it('ends all sessions that the person has begun there, and none of other ways', async () => {
    const email = address();
    const own = await session(email, { sid: `c-${email}` });
    await app.write('UPDATE users SET email_verified_at = 1 WHERE email = ?', email);
    const google = (await app.token('google', { email, sub: `g-${email}` }, own)).body.token as string;
    const [bare, stranger] = [await session(email), await session(address())];

    expect((await send({ sub: email })).status).toBe(200);

    expect([await status(own), await status(bare), await status(google), await status(stranger)]).toEqual([
      401, 401, 200, 200,
    ]);
  });

  it.each([{ typ: 'JWT' }, { typ: 'application/logout+jwt' }, {}])('may have the header %j', async (header) => {
    const email = address();
    const living = await session(email);

    expect((await send({ sub: email }, header)).status).toBe(200);

    expect(await status(living)).toBe(401);
  });

  it('ends the sessions that the provider did not name, where the one that it names is not known', async () => {
    const email = address();
    const [bare, named, stranger] = [
      await session(email),
      await session(email, { sid: `n-${email}` }),
      await session(address()),
    ];

    expect((await send({ sub: email, sid: `unknown-${email}` })).status).toBe(200);

    expect([await status(bare), await status(named), await status(stranger)]).toEqual([401, 200, 200]);
  });

  it('ends no other session where the one that it names was ended here before', async () => {
    const email = address();
    const [gone, bare] = [await session(email, { sid: `g-${email}` }), await session(email)];
    await app.service.http(gone).post('/api/auth/logout').expect(204);

    expect((await send({ sub: email, sid: `g-${email}` })).status).toBe(200);

    expect(await status(bare)).toBe(200);
  });

  let start = 0;
  beforeEach(() => {
    start = Math.floor(Date.now() / 1_000);
  });
  const seconds = (ago: number) => start - ago;

  it.each<[string, (email: string) => JWTPayload, (email: string) => JWTPayload]>([
    ['of its session', (email) => ({ sid: `h-${email}` }), (email) => ({ sid: `h-${email}` })],
    ['of a person', (email) => ({ sub: email }), (email) => ({ sid: `h-${email}` })],
    ['of a session that it may have been made in', (email) => ({ sub: email, sid: `h-${email}` }), () => ({})],
  ])('leaves an id_token worthless that was made before, by a logout %s', async (_, ended, claims) => {
    const email = address();
    await session(email);
    const made = { ...claims(email), email };

    expect((await send({ ...ended(email), iat: seconds(100) })).status).toBe(200);

    expectError(await app.token('oidc', { ...made, iat: seconds(101) }), 'invalid_id_token');
    expectError(await beside.token('oidc', { ...made, iat: seconds(300) }), 'invalid_id_token');
    // Nothing says which of the two came first within a second.
    expectError(await app.token('oidc', { ...made, iat: seconds(100) }), 'invalid_id_token');
    expect((await app.token('oidc', { ...made, iat: seconds(99) })).status).toBe(200);
  });

  it('leaves an id_token worthless by the latest logout, whichever comes last', async () => {
    const email = address();
    expect((await send({ sub: email, iat: seconds(100) })).status).toBe(200);
    expect((await send({ sub: email, iat: seconds(200) })).status).toBe(200);

    expectError(await app.token('oidc', { email, iat: seconds(150) }), 'invalid_id_token');
  });

  it('leaves the id_tokens of other sessions and persons good', async () => {
    const [one, other] = [address(), address()];
    expect((await send({ sub: one, sid: `i-${one}`, iat: seconds(100) })).status).toBe(200);

    expect((await app.token('oidc', { email: one, sid: `j-${one}`, iat: seconds(200) })).status).toBe(200);
    expect((await app.token('oidc', { email: other, iat: seconds(200) })).status).toBe(200);
  });

  it('begins no account that an id_token was kept for', async () => {
    const email = address();
    await send({ sub: email, iat: seconds(100) });

    expectError(await app.token('oidc', { email, iat: seconds(200) }), 'invalid_id_token');

    expect(await app.select('SELECT id FROM users WHERE email = ?', email)).toEqual([]);
  });

  it('ends sessions where the way to sign in was switched off meanwhile', async () => {
    const email = address();
    const living = await session(email);
    const closed = await LinkedApp.start({ AUTH_METHODS: 'password' }, app);
    const answer = await post({ logout_token: await app.provider.logoutToken({ sub: email }) }, closed);
    const ended = await status(living, closed);
    await closed.stop();

    expect([answer.status, ended]).toEqual([200, 401]);
  });

  it('is counted only where it is refused', async () => {
    const limited = await LinkedApp.start({ RATE_LIMITS: 'auth=3' }, app);
    const good = async () => post({ logout_token: await app.provider.logoutToken({ sid: 'nothing' }) }, limited);
    const codes: number[] = [];
    for (let sent = 0; sent < 6; sent += 1) codes.push((await good()).status);
    for (let sent = 0; sent < 4; sent += 1) codes.push((await post({ logout_token: 'x' }, limited)).status);
    codes.push((await good()).status);
    await limited.stop();

    expect(codes).toEqual([...Array<number>(6).fill(200), 400, 400, 400, 429, 200]);
  });

  it('ends what a one-time code would have begun', async () => {
    for (const claims of [{ sid: 'later' }, { sub: 'ann' }]) {
      const email = address();
      const browser = new ProviderBrowser(app.service);
      const code = async () => {
        app.provider.behaviour = { claims: { sub: 'ann', sid: 'later', email } };
        const { headers } = await browser.signIn('oidc', { redirect_to: PAGE });
        return new URL(String(headers.location)).searchParams.get('code');
      };
      const exchange = (one: string | null) => app.service.anonymous().post('/api/auth/exchange').send({ code: one });
      const ended = await code();
      // An id_token of the same second would be refused too.
      expect((await send({ ...claims, iat: seconds(1) })).status).toBe(200);

      expectError(await exchange(ended), 'invalid_code_exchange');
      expect((await exchange(await code())).status).toBe(200);
    }
  });

  it('ends the session that a one-time code has begun', async () => {
    const email = address();
    app.provider.behaviour = { claims: { sub: email, sid: `x-${email}`, email } };
    const { headers } = await new ProviderBrowser(app.service).signIn('oidc', { redirect_to: PAGE });
    const code = new URL(String(headers.location)).searchParams.get('code');
    const { body } = await app.service.anonymous().post('/api/auth/exchange').send({ code });
    expect(await status(body.token as string)).toBe(200);

    await send({ sid: `x-${email}` });

    expect(await status(body.token as string)).toBe(401);
  });

  it('is fine where there is nothing to end', async () => {
    expect((await send({ sid: 'nothing' })).status).toBe(200);
    expect((await send({ sub: 'nobody' })).status).toBe(200);
  });

  it('counts once, of many at the same time too', async () => {
    const form = { logout_token: await app.provider.logoutToken({ sub: 'twice', jti: 'once' }) };

    const answers = await Promise.all(Array.from({ length: 8 }, () => post(form)));

    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array(7).fill(400)]);
    expectError(await post(form), 'invalid_logout_token');
    expectError(await post(form, beside), 'invalid_logout_token');
  });

  const now = Math.floor(Date.now() / 1_000);

  const refused = async (claims: JWTPayload, header?: object): Promise<void> => {
    const email = address();
    const living = await session(email);

    const answer = await send({ sub: email, ...claims }, header);

    expectError(answer, 'invalid_logout_token');
    expect(await status(living)).toBe(200);
  };

  it.each([
    ['the type of another token', { typ: 'at+jwt' }],
    ['a type that is no text', { typ: 7 }],
  ])('is refused with %s, and ends nothing', (_, header) => refused({}, header));

  it.each<[string, JWTPayload]>([
    ['a nonce', { nonce: 'n' }],
    ['no events', { events: undefined }],
    ['another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['an event that is a text', { events: { [EVENT]: 'yes' } }],
    ['an event that is a list', { events: { [EVENT]: [] } }],
    ['events that are a list', { events: [EVENT] }],
    ['neither a person nor a session', { sub: undefined }],
    ['a person that is no text', { sub: 7 as unknown as string }],
    ['a person whom a database may take for another one', { sub: 'ann ' }],
    ['a session that is no text', { sid: { $ne: '' } }],
    ['an empty session', { sid: '' }],
    ['no id', { jti: undefined }],
    ['an empty id', { jti: '' }],
    ['no time', { iat: undefined }],
    ['an old time', { iat: now - 3_600, exp: now + 3_600 }],
    ['a time to come', { iat: now + 3_600, exp: now + 7_200 }],
    ['a time that is over', { exp: now - 120 }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another client', { aud: 'somebody-else' }],
  ])('is refused with %s, and ends nothing', (_, claims) => refused(claims));

  it('is refused when it is signed by another key, is an id_token, or is none', async () => {
    const email = address();
    const living = await session(email);
    const foreign = await app.provider.logoutToken({ sub: email }, undefined, 'foreign');
    const idToken = await app.provider.idToken({ aud: 'oidc-client', sub: email, nonce: 'n' });
    // What a client gets from a provider that was asked for no nonce.
    const bare = await app.provider.idToken({ aud: 'oidc-client', sub: email, nonce: undefined, sid: 's', jti: 'j' });

    for (const token of [foreign, idToken, bare, '', 'x', 'a.b.c', 'x'.repeat(10_000)]) {
      expectError(await post({ logout_token: token }), 'invalid_logout_token');
    }
    expectError(await post({}), 'invalid_logout_token');
    expectError(await app.service.anonymous().post(PATH), 'invalid_logout_token');
    expect(await status(living)).toBe(200);
  });

  it('may have fields beside the token', async () => {
    const logoutToken = await app.provider.logoutToken({ sid: 'nothing' });

    expect((await post({ logout_token: logoutToken, more: 'x' })).status).toBe(200);
  });

  it('is 503 where no provider is set up', async () => {
    const bare = await startTestApp({ RATE_LIMITS: 'off' });
    const answer = await bare.anonymous().post(PATH).type('form').send({ logout_token: 'x' });
    await bare.close();

    expectError(answer, 'provider_not_configured');
  });
});
