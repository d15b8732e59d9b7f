import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Discovery } from '../../../src/auth/proofs/provider/identity/discovery.js';
import { IdTokens } from '../../../src/auth/proofs/provider/identity/id-tokens.js';
import { withUserinfo } from '../../../src/auth/proofs/provider/identity/provider-claims.js';
import { Clock } from '../../../src/common/clock.js';
import { PROVIDER_NAMES } from '../../../src/config/provider-settings.js';
import { stopMonotonicClock } from '../../support/clock.js';
import { expectError } from '../../support/errors.js';
import type { MockIdentityProvider } from '../../support/identity-provider.js';
import { startProviderApp, type ProviderApp } from '../../support/provider-app.js';
import { ALL_MISBEHAVIOURS, type Misbehaviour } from '../../support/misbehaviour.js';
import { ProviderBrowser } from '../../support/provider-browser.js';
import { startTestApp } from '../../support/test-app.js';

const CLAIMS = { sub: 'ann', iat: 1, exp: 1 };

describe('A provider that is out of order', () => {
  let service: ProviderApp;
  let provider: MockIdentityProvider;

  beforeAll(async () => {
    service = await startProviderApp();
    ({ provider } = service);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    provider.behaviour = {};
  });

  afterAll(() => service.close());

  const idTokens = () =>
    new IdTokens({ jwksUrl: `${provider.url}/jwks`, issuers: [provider.url] }, new Clock(), () => undefined);
  const expected = { audience: ['app'], nonces: ['n'] };
  const idToken = () => provider.idToken({ aud: 'app', nonce: 'n' });

  async function expectUnavailable(work: Promise<unknown>): Promise<void> {
    await expect(work).rejects.toMatchObject({ error: 'provider_unavailable' });
  }

  it.each(ALL_MISBEHAVIOURS)('is 502 where the token endpoint answers with %s', async (kind) => {
    provider.behaviour = { token: kind };
    const answers = await Promise.all(PROVIDER_NAMES.map((name) => new ProviderBrowser(service).signIn(name)));

    for (const answer of answers) expectError(answer, 'provider_unavailable');
  });

  it.each(ALL_MISBEHAVIOURS)('is 502 where the keys, the discovery or userinfo are %s', async (kind) => {
    const token = await idToken();
    provider.behaviour = { jwks: kind, discovery: kind, userinfo: kind };

    await Promise.all([
      expectUnavailable(idTokens().verify(token, expected)),
      expectUnavailable(new Discovery(provider.url).find()),
      // An empty object is about no user.
      kind === 'an empty object'
        ? null
        : expectUnavailable(withUserinfo(CLAIMS, ['email'], `${provider.url}/userinfo`, 'x')),
    ]);
  });

  it('is 502 where it drips while memory is swept', async () => {
    setFlagsFromString('--expose-gc');
    const sweep = setInterval(runInNewContext('gc') as () => void, 200);
    provider.behaviour = { discovery: 'dripping' };

    await expectUnavailable(new Discovery(provider.url).find());
    clearInterval(sweep);
  });

  it('is the same one for as long as its document is the same', async () => {
    const discovery = new Discovery(provider.url);
    const pass = stopMonotonicClock();
    const asked = () => provider.count('/.well-known/openid-configuration');
    const [first, before] = [await discovery.find(), asked()];

    pass(599_000);
    expect([await discovery.find(), asked()]).toEqual([first, before]);
    pass(2_000);
    expect(await discovery.find()).toBe(first);
    expect(asked()).toBe(before + 1);
    pass(699_000);
    provider.behaviour = { document: { token_endpoint: `${provider.url}/elsewhere` } };
    expect(await discovery.find()).toMatchObject({ tokenUrl: `${provider.url}/elsewhere` });
  });

  it('works again as soon as the provider does', async () => {
    const [tokens, discovery] = [idTokens(), new Discovery(provider.url)];
    const broken: Misbehaviour = 'internal error';
    provider.behaviour = { jwks: broken, discovery: broken };
    await expectUnavailable(tokens.verify(await idToken(), expected));
    await expectUnavailable(discovery.find());
    provider.behaviour = {};

    expect(await tokens.verify(await idToken(), expected)).toMatchObject({ sub: 'ann' });
    expect(await discovery.find()).toMatchObject({ issuers: [provider.url], isBasic: true, sendsIssuer: false });
  });

  it('is 502 where no server listens', async () => {
    await expectUnavailable(new Discovery('http://127.0.0.1:1').find());
  });

  it.each([
    ['another issuer', { issuer: 'https://evil.example' }],
    ['an issuer with a slash more', { issuer: 'URL/' }],
    ['no issuer', { issuer: undefined }],
    ['no token endpoint', { token_endpoint: undefined }],
    ['an authorization endpoint that is a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['keys in a file', { jwks_uri: 'file:///etc/passwd' }],
    ['a number for an address', { jwks_uri: 7 }],
  ])('is not believed where its discovery document has %s', async (_, changes) => {
    const document = Object.fromEntries(
      Object.entries(changes).map(([key, value]) => [key, value === 'URL/' ? `${provider.url}/` : value]),
    );
    provider.behaviour = { document };

    await expectUnavailable(new Discovery(provider.url).find());
  });

  it('is asked once for its discovery document and its keys by many who come together', async () => {
    const [tokens, discovery] = [idTokens(), new Discovery(provider.url)];
    const token = await idToken();
    const [documents, keys] = [provider.count('/.well-known/openid-configuration'), provider.count('/jwks')];

    await Promise.all(Array.from({ length: 20 }, async () => [discovery.find(), await tokens.verify(token, expected)]));

    expect(provider.count('/.well-known/openid-configuration') - documents).toBe(1);
    expect(provider.count('/jwks') - keys).toBe(1);
  });

  it('is asked for its keys at most five times for 100 tokens with unknown keys', async () => {
    const tokens = idTokens();
    const before = provider.count('/jwks');

    for (let n = 0; n < 100; n += 1) {
      const token = await provider.idToken({ aud: 'app', nonce: 'n' }, 'unknown-kid');
      await expect(tokens.verify(token, expected)).rejects.toMatchObject({ error: 'invalid_id_token' });
    }

    expect(provider.count('/jwks') - before).toBeLessThanOrEqual(5);
  });

  it('may change its keys: the new ones are asked for within a minute', async () => {
    const tokens = idTokens();
    await tokens.verify(await idToken(), expected);
    await provider.rotateKeys();
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
    const token = await provider.idToken({ aud: 'app', nonce: 'n' });

    expect(await tokens.verify(token, expected)).toMatchObject({ sub: 'ann' });
    later.mockRestore();
  });

  describe('The generic provider', () => {
    const signIn = () => new ProviderBrowser(service).signIn('oidc');
    const anew = async (document: object, query: object = {}) => {
      provider.behaviour = { document: { ...document }, ...query };
      const other = await startTestApp({ ...provider.environment, SIGNUP: 'open', RATE_LIMITS: 'off' });
      try {
        return await new ProviderBrowser(other).signIn('oidc');
      } finally {
        await other.close();
      }
    };

    it('gets our secret in the way that it asks for', async () => {
      const basic = await anew({ token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'] });
      const post = await anew({ token_endpoint_auth_methods_supported: ['client_secret_post'] });
      const sent = provider.requests.filter(({ path }) => path === '/token').slice(-2);

      expect([basic.status, post.status]).toEqual([200, 200]);
      expect(
        sent.map(({ headers, body }) => [headers.authorization?.slice(0, 6), body.includes('client_secret')]),
      ).toEqual([
        ['Basic ', false],
        [undefined, true],
      ]);
    });

    it('has to name itself where it says that it does', async () => {
      const document = { authorization_response_iss_parameter_supported: true };

      expectError(await anew(document), 'invalid_state');
      expect((await anew(document, { parameters: { iss: provider.url } })).status).toBe(200);
    });

    it('is asked for the e-mail address where the id_token has none, and only about the same person', async () => {
      const without = { email: undefined, email_verified: undefined, sub: 'quiet' };
      const profile = { sub: 'quiet', email: 'quiet@example.com', email_verified: true, name: 'Quiet' };
      provider.behaviour = { claims: without, profile };
      const found = await signIn();
      provider.behaviour = { claims: { ...without, sub: 'other' }, profile };
      const foreign = await signIn();

      // What the provider calls verified proves nothing here without OIDC_TRUST_EMAIL.
      expect(found.body.user).toMatchObject({ email: 'quiet@example.com', email_verified: false });
      expectError(foreign, 'invalid_id_token');
    });

    it('is 502 when it does not know us, since that is not the fault of who signs in', async () => {
      expectError(await anew({ token_endpoint_auth_methods_supported: ['none'] }), 'provider_unavailable');
    });
  });
});
