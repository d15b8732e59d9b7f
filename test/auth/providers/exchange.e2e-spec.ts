import { createHash, randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import { SignInJobs } from '../../../src/auth/accounts/sign-in-jobs.js';
import { Clock } from '../../../src/common/clock.js';
import { AgreedTime } from '../../../src/database/units/agreed-time.js';
import { Reads } from '../../../src/database/statements/reads.js';
import { execute } from '../../../src/database/statements/statement.js';
import { UnitOfWork } from '../../../src/database/units/unit-of-work.js';
import { expectError } from '../../support/errors.js';
import type { MockIdentityProvider } from '../../support/identity-provider.js';
import { startProviderApp, type ProviderApp } from '../../support/provider-app.js';
import { ProviderBrowser } from '../../support/provider-browser.js';

const PAGE = 'https://console.example.com/signed-in?lang=en';
const APP = 'com.example.app:/signed-in';

describe('A sign-in that leads back to a page or an app', () => {
  let service: ProviderApp;
  let provider: MockIdentityProvider;

  beforeAll(async () => {
    service = await startProviderApp({ REDIRECT_ALLOW_LIST: `${PAGE}, ${APP}` });
    ({ provider } = service);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    provider.behaviour = {};
  });

  afterAll(() => service.close());

  const exchange = (body: object) => service.anonymous().post('/api/auth/exchange').send(body);
  const me = (answer: Response) => service.http(answer.body.token).get('/api/auth/me');
  const locationOf = ({ status, text, headers }: Response): URL => {
    expect([status, text]).toEqual([303, '']);
    return new URL(String(headers.location));
  };

  async function codeFor(query: Record<string, string> = {}): Promise<string> {
    const answer = await new ProviderBrowser(service).signIn('google', { redirect_to: PAGE, ...query });
    return locationOf(answer).searchParams.get('code') ?? '';
  }

  function pkce(): { verifier: string; challenge: string } {
    const verifier = randomBytes(32).toString('base64url');
    return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
  }

  it.each([PAGE, APP])('goes to %s with a one-time code and nothing else', async (target) => {
    const location = locationOf(await new ProviderBrowser(service).signIn('google', { redirect_to: target }));
    const code = location.searchParams.get('code') ?? '';

    expect(code).toMatch(/^[\w-]{43}$/);
    location.searchParams.delete('code');
    expect(location.href).toBe(target);
    const { status, body } = await exchange({ code });
    expect([status, body.user?.email]).toEqual([200, 'ann@gmail.com']);
    expect((await service.http(body.token).get('/api/auth/sessions')).body.data[0].amr).toEqual(['google']);
  });

  it('goes there with the name of the error where it fails, Apple included', async () => {
    const failing = async (name: 'google' | 'apple' | 'oidc', behaviour: object) => {
      provider.behaviour = behaviour;
      return locationOf(await new ProviderBrowser(service).signIn(name, { redirect_to: PAGE })).href;
    };

    expect(await failing('google', { return: 'cancel' })).toBe(`${PAGE}&error=access_denied`);
    expect(await failing('apple', { return: 'apple-cancel' })).toBe(`${PAGE}&error=access_denied`);
    expect(await failing('oidc', { return: 'error' })).toBe(`${PAGE}&error=provider_unavailable`);
    expect(await failing('google', { signature: 'foreign' })).toBe(`${PAGE}&error=invalid_id_token`);
    expect(await failing('apple', { token: 'html' })).toBe(`${PAGE}&error=provider_unavailable`);
    expect(await failing('google', { claims: { sub: 'no', email_verified: false } })).toBe(
      `${PAGE}&error=provider_email_unverified`,
    );
  });

  it('goes nowhere on the word of a browser that did not begin it', async () => {
    const back = await new ProviderBrowser(service).visit('google', { redirect_to: PAGE });
    const stranger = new ProviderBrowser(service);

    expectError(await stranger.comeBack(back), 'invalid_state');
    expectError(await stranger.get('/api/auth/google/callback?error=access_denied&state=x'), 'access_denied');
  });

  it.each([
    '//evil.example',
    'https://evil.example/',
    'https://console.example.com/signed-in',
    'https://console.example.com/signed-in?lang=en&x=1',
    'https://console.example.com/signed-in?lang=en#x',
    'https://console.example.com/signed-in?lang=EN',
    'https://console.example.com/signed-in/?lang=en',
    'https://console.example.com/signed-in/../evil?lang=en',
    'https://console.example.com./signed-in?lang=en',
    'https://console.example.com:443/signed-in?lang=en',
    'https://CONSOLE.example.com/signed-in?lang=en',
    'HTTPS://console.example.com/signed-in?lang=en',
    'https://console.example.com@evil.example/signed-in?lang=en',
    'https://evil.example\\@console.example.com/signed-in?lang=en',
    'https:\\\\console.example.com\\signed-in?lang=en',
    'https://console.example.com/signed%2Din?lang=en',
    'http://console.example.com/signed-in?lang=en',
    ' https://console.example.com/signed-in?lang=en',
    'https://console.example.com/signed-in?lang=en\n',
    'https://evil.example/?https://console.example.com/signed-in?lang=en',
    'javascript:alert(1)//console.example.com/signed-in?lang=en',
    '/signed-in',
    '',
  ])('is not begun where it would lead to %j', async (target) => {
    const answer = await new ProviderBrowser(service).begin('google', { redirect_to: target });

    expectError(answer, 'invalid_query');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  describe('with a code', () => {
    it('is over after its first use: a second one ends the session of the first', async () => {
      const code = await codeFor();
      const first = await exchange({ code });
      expect((await me(first)).status).toBe(200);

      expectError(await exchange({ code }), 'invalid_code_exchange');
      expectError(await me(first), 'invalid_token');
      expectError(
        await service.anonymous().post('/api/auth/refresh').send({ refresh_token: first.body.refresh_token }),
        'invalid_refresh_token',
      );
    });

    it('gives one session at most to many who use it at once, and ends it', async () => {
      const code = await codeFor();

      const answers = await Promise.all(Array.from({ length: 8 }, () => exchange({ code })));

      const [winner, ...others] = answers.toSorted((a, b) => a.status - b.status);
      expect(winner?.status).toBe(200);
      for (const other of others) expectError(other, 'invalid_code_exchange');
      if (winner) expectError(await me(winner), 'invalid_token');
    });

    it('lives for 60 seconds', async () => {
      const start = Date.now();
      const now = jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(start);
      const [inTime, late] = [await codeFor(), await codeFor()];

      now.mockReturnValue(start + 59_999);
      expect((await exchange({ code: inTime })).status).toBe(200);
      now.mockReturnValue(start + 60_000);
      expectError(await exchange({ code: late }), 'invalid_code_exchange');
    });

    it('asks for the verifier where there was a challenge, and takes no other one', async () => {
      const [{ verifier, challenge }, other] = [pkce(), pkce()];
      const code = await codeFor({ code_challenge: challenge });

      expectError(await exchange({ code }), 'invalid_code_exchange');
      expectError(await exchange({ code, code_verifier: other.verifier }), 'invalid_code_exchange');
      expectError(await exchange({ code, code_verifier: `${verifier}x` }), 'invalid_code_exchange');
      const first = await exchange({ code, code_verifier: verifier });
      expect(first.status).toBe(200);
      expectError(await exchange({ code, code_verifier: other.verifier }), 'invalid_code_exchange');
      expect((await me(first)).status).toBe(200);
      expectError(await exchange({ code, code_verifier: verifier }), 'invalid_code_exchange');
      expectError(await me(first), 'invalid_token');
    });

    it('takes no verifier where there was no challenge', async () => {
      expectError(await exchange({ code: await codeFor(), code_verifier: pkce().verifier }), 'invalid_code_exchange');
    });

    it('opens nothing once the account is disabled', async () => {
      provider.behaviour = { claims: { sub: 'soon-out', email: 'soon-out@gmail.com' } };
      const { body } = await exchange({ code: await codeFor() });
      const code = await codeFor();
      await service.http().put(`/api/users/${body.user.id}`).send({ disabled: true }).expect(200);

      expectError(await exchange({ code }), 'account_disabled');
    });

    it('opens nothing once its user has signed out everywhere', async () => {
      const first = await exchange({ code: await codeFor() });
      const code = await codeFor();
      await service.http(first.body.token).post('/api/auth/logout').send({ scope: 'all' }).expect(204);

      expectError(await exchange({ code }), 'invalid_code_exchange');
    });

    it('is nowhere in the database', async () => {
      const code = await codeFor();
      const rows = await service.app.get(Reads).select('SELECT * FROM auth_challenges');

      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(code);
    });

    it('is forgotten an hour after it is over, and so is the proof behind it', async () => {
      // Those of other tests may be over already: on a slow machine they are old.
      await service.app.get(UnitOfWork).run((manager) => execute(manager, 'DELETE FROM auth_challenges'));
      const rows = async (before: number) =>
        (await service.app.get(Reads).select('SELECT id FROM auth_challenges WHERE expires_at < ?', [before])).length;
      await codeFor();
      // An id_token lives for ten minutes here, and its trace for a minute longer.
      const end = Date.now() + 661_000;
      const all = await rows(end);
      const now = jest.spyOn(service.app.get(AgreedTime), 'now');

      now.mockResolvedValue(Date.now() + 3_500_000);
      await service.app.get(SignInJobs).dropOld();
      expect(await rows(end)).toBe(all);
      now.mockResolvedValue(end + 3_600_001);
      await service.app.get(SignInJobs).dropOld();
      expect([all > 1, await rows(end)]).toEqual([true, 0]);
    });

    it('puts the refresh token into a cookie where that is asked for', async () => {
      const { body, headers } = await exchange({ code: await codeFor(), mode: 'cookie' });

      expect(body.refresh_token).toBeUndefined();
      expect(headers['set-cookie']).toEqual([
        expect.stringMatching(/^cms_refresh=cmsr_.*HttpOnly/),
        expect.stringMatching(/^cms_device=.*HttpOnly/),
      ]);
    });

    it.each([{}, { code: 7 }, { code: ['x'] }, { code: 'x', colour: 'red' }, { code: 'x', code_verifier: 'short' }])(
      'refuses the body %j',
      async (body) => {
        expectError(await exchange(body), 'validation_failed');
      },
    );

    it.each(['', 'x', 'x'.repeat(43), 'x'.repeat(5_000)])('does not know the code %j', async (code) => {
      expectError(await exchange({ code }), 'invalid_code_exchange');
    });
  });

  it('is not begun with a challenge that is none, or that no client could use', async () => {
    const begin = (query: Record<string, string>) => new ProviderBrowser(service).begin('google', query);

    for (const challenge of ['', 'x', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`, `${'x'.repeat(42)}+`]) {
      expectError(await begin({ redirect_to: PAGE, code_challenge: challenge }), 'invalid_query');
    }
    expectError(await begin({ code_challenge: 'x'.repeat(43) }), 'invalid_query');
  });
});
