import { Child, production } from '../support/child-service.js';
import { MockIdentityProvider } from '../support/identity-provider.js';
import { Mailbox } from '../support/mailbox.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { TestDatabase } from '../support/test-database.js';

describe('EGRESS', () => {
  let database: TestDatabase;
  let mailbox: Mailbox;
  let provider: MockIdentityProvider;
  /** Of the same people as the provider; only its answers name it. */
  let elsewhere: MockIdentityProvider;
  let nonces = 0;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    mailbox = await Mailbox.open();
    provider = await MockIdentityProvider.start();
    elsewhere = await MockIdentityProvider.start();
  });

  beforeEach(() => {
    provider.behaviour = {};
  });

  afterAll(async () => {
    await Promise.all([mailbox.server.stop(), provider.stop(), elsewhere.stop()]);
    await database.drop();
  });

  /** A service in production, with a database, a mail server and a provider. Answers what it has logged of connections. */
  async function withService(
    environment: Record<string, string>,
    test: (url: string) => Promise<void>,
  ): Promise<unknown[]> {
    const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = provider.environment;
    const child = new Child('main.js', [], {
      ...production(database),
      OIDC_ISSUER,
      OIDC_CLIENT_ID,
      OIDC_CLIENT_SECRET,
      SMTP_URL: mailbox.server.url.replace('127.0.0.1', 'localhost'),
      SIGNUP: 'open',
      ...environment,
    });
    try {
      await test(await child.address());
    } finally {
      await child.kill('SIGTERM');
    }
    return child.log.filter(({ level, port }) => level === 40 && port !== undefined);
  }

  async function post(url: string, body: object): Promise<number> {
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return status;
  }

  async function signInWithProvider(url: string): Promise<number> {
    nonces += 1;
    const nonce = `n${nonces}`;
    const idToken = await provider.idToken({
      aud: 'oidc-client',
      nonce,
      email: 'ann@example.org',
      email_verified: true,
    });
    return post(`${url}/api/auth/oidc/token`, { id_token: idToken, nonce });
  }

  const portOf = ({ url }: MockIdentityProvider): number => Number(new URL(url).port);

  it('listed lets database, mail server and provider answer, whatever their names lead to', async () => {
    const refused = await withService({ EGRESS: 'listed' }, async (url) => {
      expect(await signInWithProvider(url)).toBe(200);
      expect(await post(`${url}/api/auth/otp/send`, { email: 'mia@example.org' })).toBe(200);
      const { code } = await mailbox.next('mia@example.org');
      expect(await post(`${url}/api/auth/otp/verify`, { email: 'mia@example.org', code })).toBe(200);
    });

    expect(refused).toEqual([]);
  });

  it('listed refuses and logs a connection to another port of a host that settings name', async () => {
    provider.behaviour = { document: { jwks_uri: `${elsewhere.url}/jwks` } };

    const refused = await withService({ EGRESS: 'listed' }, async (url) => {
      expect(await signInWithProvider(url)).toBe(502);
    });

    expect(elsewhere.requests).toEqual([]);
    expect(refused[0]).toMatchObject({
      host: '127.0.0.1',
      port: portOf(elsewhere),
      msg: 'a connection was refused: no setting names this address, and EGRESS is listed',
    });
  });

  it.each<[string, () => Record<string, string>]>([
    ['any, the default,', () => ({})],
    ['listed with EGRESS_HOSTS', () => ({ EGRESS: 'listed', EGRESS_HOSTS: `127.0.0.1:${portOf(elsewhere)}` })],
  ])('%s lets the service ask there', async (_, environment) => {
    provider.behaviour = { document: { jwks_uri: `${elsewhere.url}/jwks` } };
    const before = elsewhere.count('/jwks');

    const refused = await withService(environment(), async (url) => {
      await signInWithProvider(url);
    });

    expect(elsewhere.count('/jwks')).toBeGreaterThan(before);
    expect(refused).toEqual([]);
  });
});
