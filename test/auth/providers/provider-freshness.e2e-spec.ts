import type { Response } from 'supertest';
import { expectError } from '../../support/errors.js';
import { partOf } from '../../support/forged-tokens.js';
import { LinkedApp } from '../../support/linked-app.js';
import { ProviderBrowser } from '../../support/provider-browser.js';

const PAGE = 'https://console.example.com/signed-in';
const ORDER = { name: 'ci', scopes: ['records:read'] };
/** The seconds of a fresh sign-in. */
const MAX_AGE = '600';

type Provider = 'google' | 'apple' | 'oidc';

describe('A sign-in with a provider is fresh', () => {
  let app: LinkedApp;
  let bare: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    const settings = { SIGNUP: 'open', REDIRECT_ALLOW_LIST: PAGE };
    app = await LinkedApp.start(settings);
    bare = await LinkedApp.start({ ...settings, AUTH_METHODS: 'google,apple,oidc' }, app);
  });

  afterAll(async () => {
    await bare.stop();
    await app.stop();
  });

  const now = () => Math.floor(Date.now() / 1_000);
  /** As it comes out of a browser, and where the browser was sent. */
  async function signIn(
    provider: Provider,
    query: Record<string, string>,
    { claims = {}, at = app }: { claims?: object; at?: LinkedApp } = {},
  ): Promise<{ answer: Response; asked: URLSearchParams }> {
    const email = `f${(count += 1)}@gmail.com`;
    app.provider.behaviour = { claims: { sub: email, email, ...claims } };
    const browser = new ProviderBrowser(at.service);
    const begun = await browser.begin(provider, query);
    const asked = new URL(String(begun.headers.location)).searchParams;
    return { answer: await new ProviderBrowser(at.service).signIn(provider, query), asked };
  }
  const isFresh = async (token: unknown, at = app): Promise<boolean> => {
    const answer = await at.service.http(String(token)).post('/api/auth/tokens').send(ORDER);
    if (answer.status !== 201) expectError(answer, 'insufficient_user_authentication');
    return answer.status === 201;
  };
  const shown = async (token: unknown) =>
    (await app.service.http(String(token)).get('/api/auth/me').expect(200)).body.data.session.auth_time as
      string | null;

  it.each<Provider>(['google', 'apple', 'oidc'])('not by a session that goes on there: %s', async (provider) => {
    const { answer, asked } = await signIn(provider, {});

    const { token } = answer.body as { token: string };
    expect([asked.has('max_age'), asked.has('prompt')]).toEqual([false, false]);
    expect(await isFresh(token)).toBe(false);
    expect([await shown(token), partOf(token, 1)]).toEqual([null, expect.not.objectContaining({ auth_time: 0 })]);
    expect(partOf(token, 1)).not.toHaveProperty('auth_time');
  });

  it.each<[string, number, boolean]>([
    ['a moment', 5, true],
    ['eleven minutes', 660, false],
  ])('as long as the one there, of %s ago', async (_, ago, expected) => {
    const authTime = now() - ago;
    for (const provider of ['google', 'apple', 'oidc'] as const) {
      const { answer } = await signIn(provider, {}, { claims: { auth_time: authTime } });

      expect(await isFresh(answer.body.token)).toBe(expected);
      expect(await shown(answer.body.token)).toBe(new Date(authTime * 1_000).toISOString());
    }
  });

  it('after it was asked for: the provider has the user sign in again', async () => {
    const { answer, asked } = await signIn('oidc', { max_age: MAX_AGE });

    expect([asked.get('max_age'), asked.get('prompt')]).toEqual([MAX_AGE, 'login']);
    expect(await isFresh(answer.body.token)).toBe(true);
  });

  it('not where the provider was asked and does not say when', async () => {
    const { answer } = await signIn('oidc', { max_age: MAX_AGE }, { claims: { auth_time: undefined } });

    expect(await isFresh(answer.body.token)).toBe(false);
  });

  it.each([
    ['a time to come', () => now() + 3_600],
    ['milliseconds', () => Date.now()],
    ['a text', () => String(now())],
    ['a negative number', () => -1],
    ['null', () => null],
  ])('not by %s', async (_, authTime) => {
    const { answer } = await signIn('oidc', { max_age: MAX_AGE }, { claims: { auth_time: authTime() } });

    expect([answer.status, await isFresh(answer.body.token)]).toEqual([200, false]);
  });

  it('through a one-time code too', async () => {
    for (const [ago, expected] of [
      [5, true],
      [660, false],
    ] as const) {
      const { answer } = await signIn('oidc', { redirect_to: PAGE }, { claims: { auth_time: now() - ago } });
      const code = new URL(String(answer.headers.location)).searchParams.get('code');
      const { body } = await app.service.anonymous().post('/api/auth/exchange').send({ code }).expect(200);

      expect(await isFresh(body.token)).toBe(expected);
    }
  });

  it('for an app by the id_token alone', async () => {
    const come = async (authTime?: number) => {
      const email = `f${(count += 1)}@gmail.com`;
      return (await app.token('google', { email, auth_time: authTime })).body.token as string;
    };

    expect([await isFresh(await come(now() - 5)), await isFresh(await come())]).toEqual([true, false]);
  });

  it('by a choice at Google and Apple, where there is no other way to show who one is', async () => {
    const { answer, asked } = await signIn('google', { max_age: MAX_AGE });
    expect(asked.get('prompt')).toBe('select_account');
    expect(JSON.parse(asked.get('claims') ?? '')).toEqual({ id_token: { auth_time: { essential: true } } });
    expect(await isFresh(answer.body.token)).toBe(false);

    for (const provider of ['google', 'apple'] as const) {
      const alone = await signIn(provider, { max_age: MAX_AGE }, { at: bare });
      expect(await isFresh(alone.answer.body.token, bare)).toBe(true);
      const silent = await signIn(provider, {}, { at: bare });
      expect(await isFresh(silent.answer.body.token, bare)).toBe(false);
    }
    const oidc = await signIn('oidc', { max_age: MAX_AGE }, { claims: { auth_time: undefined }, at: bare });
    expect(await isFresh(oidc.answer.body.token, bare)).toBe(false);
  });

  it('by nothing that is no number of seconds', async () => {
    for (const value of ['', '-1', '1e3', '600 ', '86401', '1.5', 'x'])
      expectError(await new ProviderBrowser(app.service).begin('oidc', { max_age: value }), 'invalid_query');
    for (const value of ['0', '86400']) {
      expect((await new ProviderBrowser(app.service).begin('oidc', { max_age: value })).status).toBe(302);
    }
  });

  it('which the refusal of an old one says', async () => {
    const { answer } = await signIn('google', {}, { at: bare });

    const refused = await bare.service.http(String(answer.body.token)).post('/api/auth/tokens').send(ORDER);

    expect(refused.body.message).toContain('/redirect?max_age=600');
  });
});
