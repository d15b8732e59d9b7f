import { jwtDecrypt } from 'jose';
import { AppKeys } from '../../../src/config/values/app-keys.js';
import { PROVIDER_NAMES } from '../../../src/config/provider-settings.js';
import { stopClock } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import type { MockIdentityProvider } from '../../support/identity-provider.js';
import { startProviderApp, type ProviderApp } from '../../support/provider-app.js';
import { ProviderBrowser } from '../../support/provider-browser.js';

const PUBLIC_URL = 'https://cms.example.com';
/** Whose mailboxes each provider runs; those of all domains where the operator trusts it. */
const MAILBOXES = { google: 'gmail.com', apple: 'icloud.com', oidc: 'corp.example' } as const;

describe('Signing in with a provider', () => {
  let service: ProviderApp;
  let provider: MockIdentityProvider;

  beforeAll(async () => {
    service = await startProviderApp({ PUBLIC_URL, OIDC_TRUST_EMAIL: 'true' });
    ({ provider } = service);
  });

  afterEach(() => {
    provider.behaviour = {};
    jest.restoreAllMocks();
  });

  afterAll(() => service.close());

  const browser = () => new ProviderBrowser(service);

  describe.each(PROVIDER_NAMES)('named %s', (name) => {
    const email = `${name}@${MAILBOXES[name]}`;
    const claims = (more: object = {}) => {
      provider.behaviour = {
        ...provider.behaviour,
        claims: { sub: `${name}-ann`, email, ...more },
      };
    };

    it('asks the provider with state, nonce and PKCE, and comes back to PUBLIC_URL, whatever the Host', async () => {
      const { status, headers } = await service
        .anonymous()
        .get(`/api/auth/${name}/redirect`)
        .set({ Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' });
      const url = new URL(String(headers.location));
      const asked = Object.fromEntries(url.searchParams);

      expect(status).toBe(302);
      expect(url.origin + url.pathname).toBe(`${provider.url}/authorize`);
      expect(asked).toEqual({
        response_type: 'code',
        client_id: `${name}-client`,
        redirect_uri: `${PUBLIC_URL}/api/auth/${name}/callback`,
        scope: name === 'apple' ? 'name email' : 'openid email profile',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
        ...(name === 'apple' ? { response_mode: 'form_post' } : {}),
      });
      expect(headers['set-cookie']).toEqual([
        expect.stringMatching(
          new RegExp(`^__Host-oauth_${name}=[\\w.-]+; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$`),
        ),
      ]);
    });

    it('draws a new state, nonce and verifier each time', async () => {
      const [one, other] = [await browser().begin(name), await browser().begin(name)].map(({ headers }) =>
        Object.fromEntries(new URL(String(headers.location)).searchParams),
      );

      for (const parameter of ['state', 'nonce', 'code_challenge'])
        expect(one?.[parameter]).not.toBe(other?.[parameter]);
    });

    it('answers with tokens of a new session', async () => {
      claims();
      const { status, body, headers } = await browser().signIn(name);

      expect([status, body]).toEqual([
        200,
        {
          token: expect.stringMatching(/^ey/),
          token_type: 'Bearer',
          expires_in: 900,
          refresh_token: expect.stringMatching(/^cmsr_/),
          refresh_expires_in: expect.any(Number),
          user: {
            id: expect.any(Number),
            email,
            name: 'Ann Lee',
            role: 'viewer',
            email_verified: true,
          },
        },
      ]);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['set-cookie']).toEqual([
        expect.stringMatching(`^__Host-oauth_${name}=; Path=/; Max-Age=0;`),
        expect.stringMatching(/^__Host-cms_device=/),
      ]);
    });

    it('finds the same user again, whatever address the provider sends now', async () => {
      claims();
      const first = await browser().signIn(name);
      claims({ email: 'moved@elsewhere.example', email_verified: false });
      const second = await browser().signIn(name);

      expect(second.status).toBe(200);
      expect(second.body.user).toEqual(first.body.user);
    });

    it.each([
      ['a second time', (user: ProviderBrowser) => user],
      ['in another browser', () => browser()],
    ])('refuses what came back when it comes %s', async (_, who) => {
      claims();
      const user = browser();
      const back = await user.visit(name);
      await user.comeBack(back).then(({ status }) => {
        expect(status).toBe(200);
      });

      expectError(await who(user).comeBack(back), 'invalid_state');
    });

    it('refuses a stolen cookie once its owner is in, also where the provider takes codes twice', async () => {
      claims();
      provider.behaviour = { ...provider.behaviour, hasReusableCodes: true };
      const [owner, thief] = [browser(), browser()];
      const back = await owner.visit(name);
      for (const [cookie, value] of owner.cookies) thief.cookies.set(cookie, value);
      await owner.comeBack(back);

      expectError(await thief.comeBack(back), 'invalid_id_token');
      provider.behaviour = { ...provider.behaviour, hasReusableCodes: false };
      expectError(await thief.comeBack(back), 'invalid_state');
    });

    it('refuses a state that it did not give this browser', async () => {
      claims();
      const [user, other] = [browser(), browser()];
      const [back, foreign] = [await user.visit(name), await other.visit(name)];

      expectError(await user.comeBack(foreign), 'invalid_state');
      expectError(await user.get(`/api/auth/${name}/callback?code=x&state=y`), 'invalid_state');
      expect((await user.comeBack(back)).status).toBe(200);
    });

    it('refuses a cookie that was changed, and one of another provider', async () => {
      const user = browser();
      const back = await user.visit(name);
      const [cookie = '', value = ''] = [...user.cookies].flat();

      const changed = value.replace(/(?<=\..{60})./, (sign) => (sign === 'A' ? 'B' : 'A'));
      for (const wrong of ['', 'x', changed, value.slice(0, -4), `${value}.x`, 'x'.repeat(5_000)]) {
        user.cookies.set(cookie, wrong);
        expect([wrong, (await user.comeBack(back)).body.error]).toEqual([wrong, 'invalid_state']);
      }
      const other = PROVIDER_NAMES.find((one) => one !== name) ?? name;
      const stranger = browser();
      await stranger.begin(other);
      user.cookies.set(cookie, [...stranger.cookies.values()].join());
      expectError(await user.comeBack(back), 'invalid_state');
    });

    it.each([
      ['', 'code'],
      ['?state=x', 'code'],
      ['?code=x', 'state'],
      ['?code=&state=', 'code'],
      ['?code=x&code=y&state=z', 'code'],
      ['?code=x&state=y&state=z', 'state'],
      ['?code[]=x&state=y', 'code'],
      ['?error=x&error=y', 'error'],
      [`?code=${'x'.repeat(2_049)}&state=y`, 'code'],
    ])('refuses to come back with %j, naming %s', async (query, field) => {
      const answer = await browser().get(`/api/auth/${name}/callback${query}`);

      expectError(answer, 'invalid_query');
      expect(answer.body.details).toEqual([expect.objectContaining({ field })]);
    });

    it('does not spend the code when a scanner looks with HEAD', async () => {
      claims();
      const user = browser();
      const back = await user.visit(name);
      const path = back.method === 'GET' ? back.path : `${back.path}?${new URLSearchParams(back.form).toString()}`;
      const cookie = [...user.cookies].map((pair) => pair.join('=')).join();
      const seen = await service.anonymous().head(path).set('Cookie', cookie);

      expect([seen.status, seen.headers.allow]).toEqual([405, name === 'apple' ? 'GET, POST' : 'GET']);
      expect((await user.comeBack(back)).status).toBe(200);
    });

    it.each([
      ['another nonce', { claims: { nonce: 'x' } }],
      ['no nonce', { claims: { nonce: undefined } }],
      ['another audience', { claims: { aud: 'somebody-else' } }],
      ['no audience', { claims: { aud: undefined } }],
      ['our audience among others, asked for by another one', { claims: { aud: [`${name}-client`, 'x'], azp: 'x' } }],
      ['another issuer', { claims: { iss: 'https://evil.example' } }],
      ['no issuer', { claims: { iss: undefined } }],
      ['no subject', { claims: { sub: undefined } }],
      ['an empty subject', { claims: { sub: '' } }],
      ['a subject that is a number', { claims: { sub: 7 } }],
      ['a subject with a space', { claims: { sub: 'ann ' } }],
      ['a subject of 256 characters', { claims: { sub: 'x'.repeat(256) } }],
      ['no expiry', { claims: { exp: undefined } }],
      ['no time of issue', { claims: { iat: undefined } }],
      ['a foreign signature', { signature: 'foreign' }],
      ['no signature', { signature: 'none' }],
      ['the public key as a secret', { signature: 'hs256' }],
      ['an unknown key', { signature: 'unknown-kid' }],
    ] as const)('refuses an id_token with %s', async (_, behaviour) => {
      provider.behaviour = behaviour;

      expectError(await browser().signIn(name), 'invalid_id_token');
    });

    it.each([
      ['an expiry 31 s ago', 'exp', -31],
      ['an issue 11 minutes ago', 'iat', -660],
      ['an issue in the future', 'iat', 120],
      ['a start in the future', 'nbf', 120],
    ] as const)('refuses an id_token with %s', async (_, claim, seconds) => {
      claims({ [claim]: Math.floor(Date.now() / 1_000) + seconds });

      expectError(await browser().signIn(name), 'invalid_id_token');
    });

    it('takes an id_token for several when it was asked for by us, and one with the longest subject', async () => {
      claims({ sub: `${name}-`.padEnd(255, 'x'), aud: [`${name}-client`, 'x'], azp: `${name}-client` });

      expect((await browser().signIn(name)).status).toBe(200);
    });

    it('redeems no code with the verifier of another sign-in', async () => {
      const [user, other] = [browser(), browser()];
      const back = await user.visit(name);
      const foreign = await other.visit(name);
      const code = (way: typeof back) =>
        way.form.code ?? new URLSearchParams(way.path.replace(/^[^?]*/, '')).get('code') ?? '';
      const mixed = {
        ...back,
        path: back.path.replace(/code=[^&]*/, `code=${code(foreign)}`),
        form: back.method === 'POST' ? { ...back.form, code: code(foreign) } : {},
      };

      expectError(await user.comeBack(mixed), 'invalid_code_exchange');
    });

    it.each([
      ['cancel', 'access_denied'],
      ['apple-cancel', 'access_denied'],
      ['error', 'provider_unavailable'],
    ] as const)('says what happened when the provider sends back with %s', async (way, error) => {
      provider.behaviour = { return: way };

      expectError(await browser().signIn(name), error);
    });

    it('blames no provider for an error that was made up', async () => {
      const answer = await browser().get(`/api/auth/${name}/callback?error=server_error&state=x`);

      expectError(answer, 'invalid_state');
    });

    it('refuses an answer that another provider gives', async () => {
      const user = browser();
      const back = await user.visit(name);
      const path = back.method === 'GET' ? back.path : `${back.path}?${new URLSearchParams(back.form).toString()}`;

      expectError(await user.get(`${path}&iss=https://evil.example`), 'invalid_state');
    });

    it('takes parameters that providers add', async () => {
      claims();
      provider.behaviour = {
        ...provider.behaviour,
        parameters: {
          scope: 'openid',
          authuser: '0',
          prompt: 'none',
          hd: 'x',
          ...(name === 'apple' ? {} : { iss: provider.url }),
        },
      };

      expect((await browser().signIn(name)).status).toBe(200);
    });

    it('refuses parameters that it does not know when a sign-in is begun', async () => {
      for (const query of ['colour=red', 'code_challenge[]=x', 'redirect_to[]=x', 'state=x', 'nonce=x', 'code=x']) {
        const answer = await service.anonymous().get(`/api/auth/${name}/redirect?${query}`);
        expect([query, answer.body.error]).toEqual([query, 'invalid_query']);
      }
    });

    it('lets one in when the browser comes back twice at the same moment', async () => {
      claims();
      provider.behaviour = { ...provider.behaviour, hasReusableCodes: true };
      const [user, twin] = [browser(), browser()];
      const back = await user.visit(name);
      for (const [cookie, value] of user.cookies) twin.cookies.set(cookie, value);

      const answers = await Promise.all([user.comeBack(back), twin.comeBack(back)]);

      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    });

    it('makes one account when a user signs in for the first time in two places at once', async () => {
      const sub = `${name}-twice`;
      claims({ sub, email: `${sub}@${MAILBOXES[name]}` });
      const users = Array.from({ length: 6 }, browser);
      const backs = await Promise.all(users.map((user) => user.visit(name)));

      const answers = await Promise.all(users.map((user, n) => user.comeBack(backs[n] ?? never())));

      expect(answers.map(({ status, text }) => [status, status === 200 ? '' : text])).toEqual(
        answers.map(() => [200, '']),
      );
      expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    });
  });

  it('is over after ten minutes', async () => {
    provider.behaviour = { claims: { sub: 'slow', email: 'slow@gmail.com' } };
    const user = browser();
    const putAhead = stopClock(service);
    const [late, inTime] = [await user.visit('google'), await user.visit('oidc')];

    putAhead(601);
    expectError(await user.comeBack(late), 'invalid_state');
    putAhead(590);
    expect((await user.comeBack(inTime)).status).toBe(200);
  });

  it('seals what the browser keeps, with a key of its own', async () => {
    const user = browser();
    await user.begin('google');
    const sealed = [...user.cookies.values()].join();

    expect(sealed.length).toBeLessThan(1_000);
    await expect(jwtDecrypt(sealed, service.app.get(AppKeys).key('mail'))).rejects.toThrow('decryption');
    const { payload } = await jwtDecrypt(sealed, service.app.get(AppKeys).key('provider-cookie'));
    expect(payload.exp).toBe((payload.iat ?? 0) + 600);
  });
});

function never(): never {
  throw new Error('There is one way back for each browser.');
}
