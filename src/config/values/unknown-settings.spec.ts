import { unknownSettings } from './unknown-settings.js';

describe('A variable that looks like a setting and is none', () => {
  it.each([
    ['CORS_ORIGIN', 'Did you mean CORS_ORIGINS?'],
    ['DATABSE_URL', 'Did you mean DATABASE_URL?'],
    ['APP_SECERT_FILE', 'Did you mean APP_SECRET?'],
    ['SMTP_HOST', 'Settings that begin so: SMTP_URL.'],
    ['DATABASE_POOL_SIZE', 'Settings that begin so: DATABASE_POOL, DATABASE_TLS, DATABASE_URL.'],
  ])('%s is named, and what may be meant', (name, hint) => {
    expect(unknownSettings({ [name]: 'x' })).toEqual([`${name} is no setting, and has no effect. ${hint}`]);
  });

  it('is a limit of earlier releases, and what to write instead is said in one line', () => {
    expect(unknownSettings({ LIMIT_LOGIN: '20', HOME: '/', LIMIT_BAD_TOKENS_FILE: '/run/limit' })).toEqual([
      'No setting any more, and without effect: LIMIT_LOGIN, LIMIT_BAD_TOKENS_FILE. Set RATE_LIMITS=login=20,bad_tokens=<number>.',
    ]);
    expect(unknownSettings({ PWNED_URL: 'https://pwned.example.com/range/' })).toEqual([
      'PWNED_URL is no setting, and has no effect. Settings that begin so: PWNED_CHECK.',
    ]);
  });

  it('is not one of another program, nor what Kubernetes sets for a service called smtp', () => {
    const others = [
      'HOME',
      'HOSTTYPE',
      'LANG',
      'MAIL',
      'MYSQL_PASSWORD',
      'NODE_OPTIONS',
      'PATH',
      'TZ',
      'npm_config_cache',
    ];
    const kubernetes = { SMTP_SERVICE_HOST: '10.0.0.1', SMTP_SERVICE_PORT: '25', SMTP_PORT: 'tcp://10.0.0.1:25' };
    const known = { SMTP_URL: 'smtp://mail.example.com', APP_SECRET_FILE: '/run/secrets/app' };

    expect(
      unknownSettings({ ...Object.fromEntries(others.map((name) => [name, 'x'])), ...kubernetes, ...known }),
    ).toEqual([]);
  });
});
