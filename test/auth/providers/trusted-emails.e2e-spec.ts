import { expectError } from '../../support/errors.js';
import { LinkedApp } from '../../support/linked-app.js';
import { ProviderBrowser } from '../../support/provider-browser.js';

describe('Addresses that the operator vouches for', () => {
  let app: LinkedApp;
  let upn: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start({ OIDC_TRUST_EMAIL: 'true', SIGNUP: 'domains:corp.example' });
    const settings = { OIDC_TRUST_EMAIL: 'true', OIDC_USERS: '{"email_claim":"preferred_username"}' };
    upn = await LinkedApp.start({ ...settings, SIGNUP: 'domains:corp.example' }, app);
  });

  afterAll(async () => {
    await upn.stop();
    await app.stop();
  });

  const address = () => `t${(count += 1)}@corp.example`;

  it('need no email_verified, as the tokens of Entra ID have none', async () => {
    const email = address();

    const { status, body } = await app.token('oidc', { email, email_verified: undefined });

    expect([status, body.user]).toMatchObject([200, { email, email_verified: true, role: 'viewer' }]);
  });

  it.each(['viewer', 'author', 'editor', 'admin'])('link the account of a %s', async (role) => {
    const email = address();
    const id = await app.user(email, { role });

    const { body } = await app.token('oidc', { email, sub: `oid-${email}`, email_verified: undefined });

    expect(body.user).toMatchObject({ id, role });
  });

  it('take an unproven account from those who prepared it', async () => {
    const email = address();
    const id = await app.user(email, { isProved: false });
    const early = await app.session(email);

    const { body } = await app.token('oidc', { email, email_verified: undefined });

    expect(body.user).toMatchObject({ id, email_verified: true });
    expectError(await app.service.http(early).get('/api/auth/me'), 'invalid_token');
  });

  it.each([true, 'true'])('are those of which the provider says %j', async (flag) => {
    expect((await app.token('oidc', { email: address(), email_verified: flag })).status).toBe(200);
  });

  it.each([false, 'false', 'FALSE', 'no', '', 0, 1, null, 'TRUE', [true]])(
    'are not those of which the provider says %j',
    async (flag) => {
      expectError(await app.token('oidc', { email: address(), email_verified: flag }), 'provider_email_unverified');
    },
  );

  it('are those of the own provider only', async () => {
    for (const name of ['google', 'apple'] as const) {
      expectError(await app.token(name, { email: address() }), 'signup_closed');
      expectError(await app.token(name, { email: address(), email_verified: undefined }), 'provider_email_unverified');
    }
  });

  it('are read from the claim that is named', async () => {
    const [shown, other] = [address(), address()];
    const claims = { sub: shown, preferred_username: shown, email: other, email_verified: false };

    expect((await upn.token('oidc', claims)).body.user).toMatchObject({ email: shown, email_verified: true });
    expectError(await upn.token('oidc', { sub: other, email: other }), 'provider_email_unverified');
    expectError(await upn.token('oidc', { sub: 'x', preferred_username: 'ann' }), 'provider_email_unverified');
  });

  it('may come from userinfo', async () => {
    const [email, name] = [address(), address()];
    app.provider.behaviour = {
      claims: { sub: email, email: undefined, email_verified: undefined },
      profile: { sub: email, email },
    };
    expect((await new ProviderBrowser(app.service).signIn('oidc')).body.user).toMatchObject({ email });

    app.provider.behaviour = { claims: { sub: name, email }, profile: { sub: name, preferred_username: name } };
    expect((await new ProviderBrowser(upn.service).signIn('oidc')).body.user).toMatchObject({ email: name });
  });
});

describe('GOOGLE_DOMAINS', () => {
  let app: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start({ GOOGLE_DOMAINS: 'Corp.example,other.example' });
  });

  afterAll(() => app.stop());

  const address = (domain = 'corp.example') => `d${(count += 1)}@${domain}`;
  const at = (email: string, hd: unknown, more: object = {}) =>
    app.token('google', { email, sub: `sub-${email}`, hd, ...more });

  it.each(['viewer', 'editor', 'admin'])('links the account of a %s by an address of the own domain', async (role) => {
    const email = address();
    const id = await app.user(email, { role });

    expect((await at(email, 'corp.example')).body.user).toMatchObject({ id, role });
  });

  it.each<[string, string, unknown]>([
    ['another domain', 'elsewhere.example', 'elsewhere.example'],
    ['another hd', 'corp.example', 'other.example'],
    ['no hd', 'corp.example', undefined],
    ['an hd that is no text', 'corp.example', ['corp.example']],
    ['a subdomain', 'sub.corp.example', 'corp.example'],
  ])('links no editor by %s', async (_, domain, hd) => {
    const email = address(domain);
    await app.user(email, { role: 'editor' });

    expectError(await at(email, hd), 'account_link_required');
  });

  it('links none by an address that is not verified', async () => {
    const email = address();
    await app.user(email, { role: 'editor' });

    expectError(await at(email, 'corp.example', { email_verified: false }), 'provider_email_unverified');
  });
});
