import type { ProviderName } from '../../../src/config/provider-settings.js';
import { expectError } from '../../support/errors.js';
import { LinkedApp } from '../../support/linked-app.js';
import { mailedCode, verifyCode } from '../../support/mail-sign-in.js';
import { login } from '../../support/sign-in.js';

/** Words of providers about mailboxes that they do not run. */
const HEARSAY: [ProviderName, object][] = [
  ['google', {}],
  ['google', { hd: '' }],
  ['google', { hd: ' ' }],
  ['google', { hd: true }],
  ['apple', {}],
  ['apple', { hd: 'corp.example' }],
  ['oidc', {}],
  ['oidc', { hd: 'corp.example' }],
];

describe('The word of a provider about an address', () => {
  let app: LinkedApp;
  let count = 0;

  beforeAll(async () => {
    app = await LinkedApp.start();
  });

  afterAll(() => app.stop());

  const address = (domain = 'corp.example') => `w${(count += 1)}@${domain}`;

  describe.each(['viewer', 'author', 'editor', 'admin'])('of a %s', (role) => {
    it.each(HEARSAY)('of %s, with %j, neither opens nor takes an account that was proved', async (name, claims) => {
      const email = address();
      const id = await app.user(email, { role });

      const answer = await app.token(name, { email, ...claims });

      expectError(answer, 'account_link_required');
      expect(answer.body.message).toContain('Sign in with a code by mail first, then link');
      expect(await app.identities(id)).toEqual([]);
      expect((await login(app.service, { email })).status).toBe(200);
    });

    it.each(HEARSAY)('of %s, with %j, takes nothing from an account that was not proved', async (name, claims) => {
      const email = address();
      const id = await app.user(email, { role, isProved: false });
      const session = await app.session(email);

      expectError(await app.token(name, { email, ...claims }), 'account_link_required');

      expect((await app.service.http(session).get('/api/auth/me')).status).toBe(200);
      expect(await app.identities(id)).toEqual([]);
    });
  });

  /** Words about mailboxes that the provider runs. */
  const AUTHORITY: [ProviderName, string, object][] = [
    ['google', 'gmail.com', {}],
    ['google', 'googlemail.com', {}],
    ['google', 'corp.example', { hd: 'corp.example' }],
    ['apple', 'icloud.com', {}],
    ['apple', 'me.com', {}],
    ['apple', 'mac.com', {}],
    ['apple', 'privaterelay.appleid.com', {}],
  ];

  it.each(AUTHORITY)('of %s opens the account of a viewer at %s, with %j', async (name, domain, claims) => {
    for (const isProved of [true, false]) {
      const email = address(domain);
      const id = await app.user(email, { isProved });

      const { status, body } = await app.token(name, { email, ...claims });

      expect([status, body.user]).toMatchObject([200, { id, email_verified: true }]);
    }
  });

  it.each(AUTHORITY)('of %s does not open the account of an editor at %s, with %j', async (name, domain, claims) => {
    for (const isProved of [true, false]) {
      const email = address(domain);
      const id = await app.user(email, { role: 'editor', isProved });

      expectError(await app.token(name, { email, ...claims }), 'account_link_required');
      expect(await app.identities(id)).toEqual([]);
    }
  });

  it.each([
    ['google', 'gmail.com.evil.example'],
    ['google', 'notgmail.com'],
    ['apple', 'notme.com'],
    ['apple', 'icloud.com.evil.example'],
    ['apple', 'gmail.com'],
    ['google', 'icloud.com'],
  ] as const)('of %s is none about %s', async (name, domain) => {
    const email = address(domain);
    await app.user(email);

    expectError(await app.token(name, { email }), 'account_link_required');
  });

  it('opens the account of an editor once it was linked after a sign-in by code', async () => {
    const email = address('gmail.com');
    const id = await app.user(email, { role: 'editor', isProved: false });
    expectError(await app.token('google', { email }), 'account_link_required');

    const { code } = await mailedCode(app.service, app.mailbox, email);
    const session = (await verifyCode(app.service, email, code)).body.token as string;
    expect((await app.token('google', { email }, session)).body.user).toMatchObject({ id });

    expect((await app.token('google', { email })).body.user).toMatchObject({ id, role: 'editor' });
  });
});

describe('An account that the word of a provider makes', () => {
  let open: LinkedApp;
  let domains: LinkedApp;

  beforeAll(async () => {
    open = await LinkedApp.start({ SIGNUP: 'open' });
    domains = await LinkedApp.start({ SIGNUP: 'domains:corp.example,icloud.com' });
  });

  afterAll(async () => {
    await open.stop();
    await domains.stop();
  });

  it.each(HEARSAY)('is not made by %s, with %j, where only some domains may sign up', async (name, claims) => {
    expectError(await domains.token(name, { email: 'new@corp.example', ...claims }), 'signup_closed');
    expect((await domains.service.http().get('/api/users')).body).toEqual([]);
  });

  it('is made where the provider runs the mailboxes of such a domain', async () => {
    const [google, apple] = ['g@corp.example', 'a@icloud.com'];
    const answers = [
      await domains.token('google', { email: google, hd: 'corp.example' }),
      await domains.token('apple', { email: apple }),
    ];

    expect(answers.map(({ body }) => body.user)).toMatchObject([
      { email: google, email_verified: true },
      { email: apple, email_verified: true },
    ]);
  });

  it.each(['google', 'apple', 'oidc'] as const)(
    'by %s is unproven where it does not run the mailbox, and becomes that of the reader alone',
    async (name) => {
      const email = `${name}@corp.example`;
      const stranger = await open.token(name, { email });
      expect([stranger.status, stranger.body.user]).toMatchObject([200, { email, email_verified: false }]);
      expect((await open.token(name, { email })).body.user.id).toBe(stranger.body.user.id);

      const { code } = await mailedCode(open.service, open.mailbox, email);
      const { body } = await verifyCode(open.service, email, code);

      expect(body.user).toMatchObject({ id: stranger.body.user.id, email_verified: true });
      expectError(await open.service.http(stranger.body.token as string).get('/api/auth/me'), 'invalid_token');
      expect(await open.identities(body.user.id as number)).toEqual([]);
      expectError(await open.token(name, { email }), 'account_link_required');
    },
  );

  it('by a provider that runs the mailbox is proved', async () => {
    const email = 'ann@gmail.com';

    expect((await open.token('google', { email })).body.user).toMatchObject({ email, email_verified: true });
  });
});
