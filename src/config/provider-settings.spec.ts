import { generateKeyPairSync } from 'node:crypto';
import { readSettings, SettingsError } from './settings.js';

const GOOD = {
  APP_SECRET: 'a-secret-of-more-than-32-characters',
  PUBLIC_URL: 'https://cms.example.com',
  DATABASE_URL: 'sqlite:data/cms.sqlite',
};
const GOOGLE = { GOOGLE_CLIENT_ID: 'google', GOOGLE_CLIENT_SECRET: 'secret' };
const OIDC = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'cms', OIDC_CLIENT_SECRET: 'secret' };

const GROUPS = '{"groups":{"map":{"company/admins":"admin"}}}';

function pem(namedCurve: string): string {
  return generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings('production', { ...GOOD, ...environment });
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
  }
  return [];
}

const providersOf = (environment: Record<string, string>) =>
  readSettings('production', { ...GOOD, ...environment }).providers;

describe('Settings of identity providers', () => {
  it('are none in production as long as nothing is set', () => {
    expect(providersOf({})).toEqual({ google: null, apple: null, oidc: null, redirectAllowList: [] });
  });

  it('have placeholders elsewhere, but for a provider without an address', () => {
    const { google, apple, oidc } = readSettings('demo', {}).providers;

    expect([google?.clientId, apple?.clientId, oidc]).toEqual([
      expect.stringContaining('placeholder'),
      expect.stringContaining('placeholder'),
      null,
    ]);
  });

  it('know the endpoints of Google and Apple, and take others', () => {
    const { google } = providersOf(GOOGLE);
    const mock = providersOf({
      ...GOOGLE,
      GOOGLE_TOKEN_URL: 'http://127.0.0.1:4000/token',
      GOOGLE_ISSUERS: 'a, b',
      GOOGLE_NATIVE_CLIENT_IDS: 'ios,android',
    });

    expect(google).toMatchObject({ tokenUrl: 'https://oauth2.googleapis.com/token', nativeClientIds: [] });
    expect(mock.google).toMatchObject({
      authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'http://127.0.0.1:4000/token',
      issuers: ['a', 'b'],
      nativeClientIds: ['ios', 'android'],
    });
  });

  it('take the key of Apple on one line', () => {
    const key = pem('P-256');
    const apple = { APPLE_CLIENT_ID: 'c', APPLE_TEAM_ID: 't', APPLE_KEY_ID: 'k' };

    expect(providersOf({ ...apple, APPLE_PRIVATE_KEY: key.replaceAll('\n', '\\n') }).apple?.privateKey).toBe(key);
    for (const bad of ['x', pem('P-384'), key.slice(0, 90)]) {
      const faults = faultsOf({ ...apple, APPLE_PRIVATE_KEY: bad });
      expect(faults).toEqual([
        expect.stringMatching(/^APPLE_PRIVATE_KEY is no private key on P-256\..*APPLE_PRIVATE_KEY=/),
      ]);
      expect(faults.join()).not.toContain(bad.slice(30, 60) || bad.repeat(9));
    }
  });

  it('are refused where one is missing, naming it and giving an example', () => {
    expect(faultsOf({ GOOGLE_CLIENT_ID: 'google' })).toEqual([
      'GOOGLE_CLIENT_SECRET is not set, and GOOGLE_CLIENT_ID is. Set it too: GOOGLE_CLIENT_SECRET=<secret>.',
    ]);
    expect(faultsOf({ OIDC_ISSUER: 'https://login.example.com' })).toEqual([
      expect.stringMatching(/^OIDC_CLIENT_ID is not set.*OIDC_CLIENT_ID=cms\.$/),
      expect.stringMatching(/^OIDC_CLIENT_SECRET is not set/),
    ]);
  });

  it.each(['login.example.com', 'ftp://login.example.com', 'https://u:p@login.example.com', 'https://x.example/#a'])(
    'refuse the address %s',
    (address) => {
      expect(faultsOf({ ...OIDC, OIDC_ISSUER: address })).toEqual([expect.stringMatching(/^OIDC_ISSUER is .*https:/)]);
    },
  );

  it('refuse plain http in production, but on this machine', () => {
    expect(faultsOf({ ...OIDC, OIDC_ISSUER: 'http://login.example.com' })).toEqual([
      expect.stringContaining('anybody on the way'),
    ]);
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect(faultsOf({ ...OIDC, OIDC_ISSUER: `http://${host}:4000` })).toEqual([]);
    }
  });

  it('take exact addresses to lead back to, of pages and of apps', () => {
    const list = ['https://console.example.com/in?x=1', 'http://localhost:5173/', 'com.example.app:/in'];

    expect(providersOf({ REDIRECT_ALLOW_LIST: list.join(' , ') }).redirectAllowList).toEqual(list);
  });

  it.each([
    '/in',
    '//evil.example',
    'https://*.example.com/in',
    'https://u@console.example.com/in',
    'https://console.example.com/in#x',
    'javascript:alert(1)',
    'data:text/html;x',
    'file:///etc/passwd',
    'myapp:/in',
  ])('refuse to lead back to %s', (entry) => {
    expect(faultsOf({ REDIRECT_ALLOW_LIST: entry })).toEqual([
      expect.stringMatching(/^REDIRECT_ALLOW_LIST has .*REDIRECT_ALLOW_LIST=https:/),
    ]);
  });

  describe('of the own directory', () => {
    const oidcOf = (environment: Record<string, string>) => providersOf({ ...OIDC, ...environment }).oidc;

    it('leave addresses and roles to the service where nothing is said', () => {
      expect(oidcOf({})).toMatchObject({ emailClaim: 'email', isEmailTrusted: false, roles: null });
    });

    it('vouch for addresses, and name their claim', () => {
      expect(oidcOf({ OIDC_TRUST_EMAIL: 'true', OIDC_USERS: '{"email_claim":"upn"}' })).toMatchObject({
        emailClaim: 'upn',
        isEmailTrusted: true,
        roles: null,
      });
    });

    it.each([
      ['{"groups":{"map":{"cms admins":"admin"}}}', [['cms admins', 'admin']], null],
      ['{"groups":{"map":{"a/b":"editor"}},"default_role":"viewer"}', [['a/b', 'editor']], 'viewer'],
      ['{"groups":{"map":{"urn:corp:group":"editor"}},"default_role":null}', [['urn:corp:group', 'editor']], null],
      ['{"groups":{"map":{"CN=Editors,OU=Web":"editor"}}}', [['CN=Editors,OU=Web', 'editor']], null],
      ['{"groups":{},"default_role":"viewer"}', [], 'viewer'],
    ])('map groups to roles: %s', (OIDC_USERS, groups, otherwise) => {
      expect(oidcOf({ OIDC_USERS })).toMatchObject({
        emailClaim: 'email',
        roles: { claim: 'groups', ofGroup: new Map(groups as []), otherwise },
      });
    });

    it('name the claim of the groups', () => {
      const OIDC_USERS = '{"groups":{"claim":"realm_access.roles","map":{"a":"admin"}}}';

      expect(oidcOf({ OIDC_USERS })?.roles?.claim).toBe('realm_access.roles');
    });

    it.each<readonly [Record<string, string>, RegExp]>([
      [{ OIDC_TRUST_EMAIL: 'yes' }, /^OIDC_TRUST_EMAIL is "yes"/],
      [{ OIDC_TRUST_EMAIL: 'true', OIDC_USERS: '{"email_claim":"mail"}' }, /^OIDC_USERS: email_claim must be one of/],
      [{ OIDC_USERS: '{"email_claim":"upn"}' }, /OIDC_TRUST_EMAIL=true\.$/],
      [{ OIDC_USERS: '{"default_role":"viewer"}' }, /^OIDC_USERS: default_role must be left out without groups/],
      [{ OIDC_USERS: '{"groups":{"map":{"a":"admin"}},"default_role":"root"}' }, /^OIDC_USERS: default_role must be/],
      [{ OIDC_USERS: '{"role":"viewer"}' }, /^OIDC_USERS has role; it takes groups, default_role, email_claim\.$/],
      ...['admins:admin', '{', '[]', '"a"', '{},{}'].map(
        (text) => [{ OIDC_USERS: text }, /^OIDC_USERS must be JSON: OIDC_USERS=\{"groups"/] as const,
      ),
      ...['{}', '"admins"', '{"map":{"a":"root"}}', '{"map":{"a":1}}', '{"map":null}', '{"claim":1}'].map(
        (groups) => [{ OIDC_USERS: `{"groups":${groups}}` }, /^OIDC_USERS: groups must be /] as const,
      ),
    ])('refuse %j', (environment, fault) => {
      expect(faultsOf({ ...OIDC, ...environment })).toEqual([expect.stringMatching(fault)]);
    });

    it.each([
      'https://login.microsoftonline.com/common/v2.0',
      'https://login.microsoftonline.com/organizations/v2.0',
      'https://login.microsoftonline.com/Organizations/v2.0/',
      'https://login.microsoftonline.com/consumers/v2.0',
      'https://login.microsoftonline.com/common',
      'https://login.microsoftonline.com/common//',
      'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    ])('trust neither addresses nor groups of many tenants: %s', (issuer) => {
      for (const more of [{ OIDC_TRUST_EMAIL: 'true' }, { OIDC_USERS: GROUPS }] as Record<string, string>[]) {
        expect(faultsOf({ ...OIDC, OIDC_ISSUER: issuer, ...more })).toEqual([
          expect.stringMatching(/^OIDC_ISSUER is .* many tenants/),
        ]);
      }
      expect(faultsOf({ ...OIDC, OIDC_ISSUER: issuer })).toEqual([]);
    });

    it.each(['https://accounts.google.com', 'https://appleid.apple.com', 'https://gitlab.com/'])(
      'trust no addresses of a provider for everybody: %s',
      (issuer) => {
        expect(faultsOf({ ...OIDC, OIDC_ISSUER: issuer, OIDC_TRUST_EMAIL: 'true' })).toEqual([
          expect.stringMatching(/^OIDC_ISSUER is .* everybody can have an account/),
        ]);
        expect(faultsOf({ ...OIDC, OIDC_ISSUER: issuer, OIDC_USERS: GROUPS })).toEqual([]);
      },
    );

    it('refuse an issuer that is too long to be kept with identities', () => {
      const issuer = (length: number) => 'https://login.example.com/'.padEnd(length, 'x');

      expect(faultsOf({ ...OIDC, OIDC_ISSUER: issuer(255) })).toEqual([]);
      expect(faultsOf({ ...OIDC, OIDC_ISSUER: issuer(256) })).toEqual([
        'OIDC_ISSUER has 256 characters and may have 255 at most.',
      ]);
    });
  });
});
