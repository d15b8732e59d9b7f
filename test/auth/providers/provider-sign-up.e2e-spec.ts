import type { ProviderName } from '../../../src/config/provider-settings.js';
import { expectError } from '../../support/errors.js';
import { MockIdentityProvider } from '../../support/identity-provider.js';
import { ProviderBrowser } from '../../support/provider-browser.js';
import { startTestApp } from '../../support/test-app.js';

describe('A user who signs in with a provider and is new here', () => {
  let provider: MockIdentityProvider;
  let people = 0;

  beforeAll(async () => {
    provider = await MockIdentityProvider.start();
  });

  afterAll(() => provider.stop());

  const startWith = (policy: string, more: Record<string, string> = {}) =>
    startTestApp({ ...provider.environment, SIGNUP: policy, RATE_LIMITS: 'off', ...more });
  const someone = () => `person${(people += 1)}@gmail.com`;

  it('is not made where sign-up is closed', async () => {
    const closed = await startWith('closed');
    provider.behaviour = { claims: { sub: 'stranger', email: 'stranger@gmail.com' } };
    try {
      expectError(await new ProviderBrowser(closed).signIn('google'), 'signup_closed');
      expect((await closed.http().get('/api/users')).body).toEqual([]);
    } finally {
      await closed.close();
    }
  });

  it('is made for the domains of the policy, when the provider speaks for the domain', async () => {
    const other = await startWith('domains:example.com,gmail.com', { OIDC_TRUST_EMAIL: 'true' });
    const tryAs = (name: ProviderName, claims: object) => {
      provider.behaviour = { claims: { email_verified: true, ...claims } };
      return new ProviderBrowser(other).signIn(name);
    };
    try {
      expectError(await tryAs('google', { sub: 'a', email: 'a@example.com' }), 'signup_closed');
      expectError(await tryAs('google', { sub: 'a', email: 'a@example.com', hd: '' }), 'signup_closed');
      expectError(await tryAs('oidc', { sub: 'b', email: 'b@sub.example.com' }), 'signup_closed');
      expect((await tryAs('google', { sub: 'a', email: 'a@example.com', hd: 'example.com' })).status).toBe(200);
      expect((await tryAs('google', { sub: 'c', email: 'c@gmail.com' })).status).toBe(200);
      expect(
        (await tryAs('oidc', { sub: 'd', email: 'd@example.com', name: 'Dee\u0000 \u202eDee' })).body.user,
      ).toEqual({
        id: expect.any(Number),
        email: 'd@example.com',
        name: 'Dee Dee',
        role: 'viewer',
        email_verified: true,
      });
    } finally {
      await other.close();
    }
  });

  it('is one, and let in each time, when several of their sign-ins arrive at once', async () => {
    const open = await startWith('open');
    const claims = { aud: 'oidc-app', sub: 'hasty', email: 'hasty@example.com', email_verified: true, nonce: 'n1' };
    try {
      const tokens = await Promise.all(Array.from({ length: 12 }, () => provider.idToken(claims)));
      const answers = await Promise.all(
        tokens.map((token) => open.anonymous().post('/api/auth/oidc/token').send({ id_token: token, nonce: 'n1' })),
      );

      expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200));
      expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    } finally {
      await open.close();
    }
  });

  it.each([
    ['{"name":{"firstName":"Ann","lastName":"Lee"},"email":"evil@example.com"}', 'Ann Lee'],
    [`{"name":{"firstName":"${'x'.repeat(300)}"}}`, 'x'.repeat(80)],
    ['{"name":{"firstName":{"a":1},"lastName":" "}}', 'LOCAL'],
    ['{"name":null}', 'LOCAL'],
    ['null', 'LOCAL'],
    ['{', 'LOCAL'],
    ['[]', 'LOCAL'],
    ['"text"', 'LOCAL'],
  ])('is called what Apple sends as user %j', async (user, name) => {
    const other = await startWith('open');
    const email = someone();
    provider.behaviour = {
      claims: { sub: email, email, name: undefined, email_verified: 'true' },
      parameters: { user },
    };
    try {
      const { body } = await new ProviderBrowser(other).signIn('apple');
      expect(body.user).toMatchObject({ email, name: name === 'LOCAL' ? email.replace(/@.*/, '') : name });
    } finally {
      await other.close();
    }
  });
});
