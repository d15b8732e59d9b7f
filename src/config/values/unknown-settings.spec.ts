import { unknownSettings } from './unknown-settings.js';

describe('A variable that looks like a setting and is none', () => {
  const names = new Set(['APP_SECRET', 'CORS_ORIGINS', 'DATABASE_POOL', 'DATABASE_URL', 'PWNED_CHECK', 'SMTP_URL']);

  it.each([
    ['CORS_ORIGIN', 'Did you mean CORS_ORIGINS?'],
    ['DATABSE_URL', 'Did you mean DATABASE_URL?'],
    ['APP_SECERT_FILE', 'Did you mean APP_SECRET?'],
    ['SMTP_HOST', 'Settings that begin so: SMTP_URL.'],
    ['DATABASE_POOL_SIZE', 'Settings that begin so: DATABASE_POOL, DATABASE_URL.'],
    ['PWNED_URL', 'Settings that begin so: PWNED_CHECK.'],
  ])('%s is named, and what may be meant', (name, hint) => {
    expect(unknownSettings({ [name]: 'x' }, names)).toEqual([`${name} is no setting, and has no effect. ${hint}`]);
  });

  it('is none of OpenTelemetry', () => {
    const others = [
      'OTEL_EXPORTER_OTLP_ENDPOIN',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_SERVICE_NAME',
      'OTEL_TRACES_SAMPLER',
    ];

    expect(unknownSettings(Object.fromEntries(others.map((name) => [name, 'x'])), names)).toEqual([]);
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
      unknownSettings({ ...Object.fromEntries(others.map((name) => [name, 'x'])), ...kubernetes, ...known }, names),
    ).toEqual([]);
  });
});
