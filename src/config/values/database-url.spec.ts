import { resolve } from 'node:path';
import { readDatabase, SettingsError, type Settings } from '../settings.js';

const CA = resolve('test/fixtures/tls/localhost.pem');
const SERVER = 'mysql://ann:hush@db.example.com/cms';

function tlsOf(DATABASE_TLS: string | undefined, DATABASE_URL = SERVER): unknown {
  const address: Settings['database'] = readDatabase('test', { DATABASE_URL, DATABASE_TLS });
  return address.kind === 'server' ? address.tls : undefined;
}

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readDatabase('test', environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
  }
  return [];
}

describe('DATABASE_TLS', () => {
  it('is off, on, or the file of an authority', () => {
    expect(tlsOf(undefined)).toBeNull();
    expect(tlsOf('off')).toBeNull();
    expect(tlsOf('on')).toEqual({ ca: null });
    expect(tlsOf(CA)).toEqual({ ca: expect.stringContaining('-----BEGIN CERTIFICATE-----') });
  });

  it.each([
    ['true', 'DATABASE_TLS is "true" and must be on, off, or the file of an authority; there is no such file to read'],
    ['/nowhere/ca.pem', 'there is no such file to read: ENOENT.'],
    [resolve('package.json'), 'holds no certificate in PEM'],
  ])('may not be "%s"', (DATABASE_TLS, sentence) => {
    expect(faultsOf({ DATABASE_URL: SERVER, DATABASE_TLS })).toEqual([expect.stringContaining(sentence)]);
  });

  it.each(['mysql://ann@127.0.0.1/cms', 'mariadb://ann@[::1]:3307/cms'])(
    'needs a name to compare the certificate with: %s',
    (DATABASE_URL) => {
      expect(faultsOf({ DATABASE_URL, DATABASE_TLS: 'on' })).toEqual([
        expect.stringContaining('DATABASE_TLS needs the name of the server'),
      ]);
      expect(faultsOf({ DATABASE_URL })).toEqual([]);
    },
  );
});

describe('DATABASE_URL with a query', () => {
  it.each([
    `${SERVER}?ssl=true`,
    `${SERVER}?ssl={"rejectUnauthorized":false}`,
    `${SERVER}?`,
    'mysql://ann:hu?sh@db.example.com/cms',
    'sqlite:data/cms.sqlite?mode=ro',
  ])('is refused, since nothing of it would be read: %s', (DATABASE_URL) => {
    const faults = faultsOf({ DATABASE_URL });

    expect(faults[0]).toContain('DATABASE_URL has something behind a question mark, such as ?ssl=');
    expect(faults.join()).not.toContain('hu');
  });
});
