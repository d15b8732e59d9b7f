import { readSettings, SettingsError } from '../settings.js';

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings('test', environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
}

describe('A password of a setting', () => {
  it.each([
    ['DATABASE_URL', 'mysql://root:100%@db/cms', {}],
    ['DATABASE_URL', 'mariadb://ro%ot@db/cms', {}],
    ['DATABASE_URL', 'mysql://root:100%ff@db/cms', {}],
    ['REDIS_URL', 'redis://:100%@redis:6379', {}],
  ])('of %s with a %% that begins no character is named, and not shown: %s', (name, url, others) => {
    const faults = faultsOf({ ...others, [name]: url });

    expect(faults).toEqual([
      expect.stringContaining(`${name} has a % in its user or password that begins no character. Write %25 for a %`),
    ]);
    expect(faults.join()).not.toContain(url);
  });

  it('may have such a character where it is encoded', () => {
    expect(faultsOf({ DATABASE_URL: 'mysql://root:100%25@db/cms', REDIS_URL: 'redis://:100%25@redis:6379' })).toEqual(
      [],
    );
  });

  it.each([
    ['PUBLIC_URL', 'https://ann:hunter2@cms.example.com'],
    ['PUBLIC_URL', 'https://:hunter2@cms.example.com'],
    ['PUBLIC_URL', 'https://ann:hunter2'],
    ['SITE_URL', 'https://ann:hunter2@www.example.com'],
    ['CORS_ORIGINS', 'https://ann:hunter2@app.example.com'],
    ['CORS_ORIGINS', 'https://:hunter2@app.example.com'],
    ['MAGIC_LINK_URL', 'https://ann:hunter2@console.example.com/sign-in'],
    ['MAGIC_LINK_URL', 'https://:hunter2@console.example.com/sign-in'],
    ['REDIRECT_ALLOW_LIST', 'https://ann:hunter2@console.example.com/'],
    ['PWNED_CHECK', 'https://ann:hunter2@pwned.example.com/range/'],
    ['PWNED_CHECK', 'https://:hunter2@pwned.example.com/range/'],
  ])('of %s is refused without its text: %s', (name, url) => {
    const faults = faultsOf({ [name]: url });

    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} (?:is|has) "https://…`))]);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('of a provider, or over plain http, is refused without its text', () => {
    const OIDC = { OIDC_CLIENT_ID: 'cms', OIDC_CLIENT_SECRET: 'x' };
    const faults = [
      ...faultsOf({ ...OIDC, OIDC_ISSUER: 'https://ann:hunter2@login.example.com' }),
      ...faultsOf({ NODE_ENV: 'production', PUBLIC_URL: 'http://ann:hunter2@cms.example.com' }),
    ];

    expect(faults).toContainEqual(expect.stringContaining('OIDC_ISSUER is "https://…@login.example.com"'));
    expect(faults).toContainEqual(expect.stringContaining('PUBLIC_URL has http://…@cms.example.com: over plain http'));
    expect(faults.join()).not.toContain('hunter2');
  });
});
