import { placesIn } from './egress-settings.js';
import { readSettings, SettingsError, type Settings } from '../settings.js';

const NEEDED = {
  APP_SECRET: 'a-secret-of-more-than-32-characters',
  PUBLIC_URL: 'https://cms.example.com',
  DATABASE_URL: 'sqlite:data/cms.sqlite',
};

const read = (environment: Record<string, string> = {}): Settings =>
  readSettings('production', { ...NEEDED, ...environment });

const named = (environment: Record<string, string>): string[] =>
  placesIn(read(environment)).map(({ host, port }) => `${host}:${port}`);

describe('EGRESS', () => {
  it('is any unless it is set', () => {
    expect(read().egress).toEqual({ isListed: false, hosts: [] });
    expect(read({ EGRESS: 'listed' }).egress.isListed).toBe(true);
  });

  it.each([
    [{ DATABASE_URL: 'mariadb://cms:secret@db.example.com/cms' }, 'db.example.com:3306'],
    [{ DATABASE_URL: 'mysql://cms:secret@db.example.com:3307/cms' }, 'db.example.com:3307'],
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'mail.example.com:587'],
    [{ SMTP_URL: 'smtps://mail.example.com' }, 'mail.example.com:465'],
    [{ REDIS_URL: 'rediss://redis.example.com' }, 'redis.example.com:6379'],
    [{ PWNED_CHECK: 'on' }, 'api.pwnedpasswords.com:443'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, 'collector:4318'],
    [{ GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'x' }, 'oauth2.googleapis.com:443'],
    [
      { OIDC_ISSUER: 'https://login.example.com/t', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' },
      'login.example.com:443',
    ],
    [
      {
        TRUSTED_ISSUERS:
          '[{"name":"corp","issuer":"https://id.example.com","audience":"cms","jwks_url":"https://keys.example.com:8443/jwks","algorithms":["RS256"],"groups":{"claim":"groups","map":{"a":"admin"}}}]',
      },
      'keys.example.com:8443',
    ],
    [{ EGRESS_HOSTS: 'token.example.com, [fd00::1]:3128' }, '[fd00::1]:3128'],
  ])('listed has the place that %j names', (environment, place) => {
    expect(named(environment)).toContain(place);
  });

  it('listed has no provider that is not set up, and no password', () => {
    const places = named({ DATABASE_URL: 'mysql://cms:hunter2@db.example.com/cms' }).join();

    expect(places).not.toMatch(/google|apple|pwned|hunter2/);
  });

  it.each(['https://login.example.com', 'login.example.com:0', 'login.example.com:65536', 'a b', '*'])(
    'EGRESS_HOSTS refuses %s',
    (text) => {
      expect(() => read({ EGRESS_HOSTS: text })).toThrow(SettingsError);
    },
  );
});
