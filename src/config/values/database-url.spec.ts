import { resolve } from 'node:path';
import { readDatabase, SettingsError, type Settings } from '../settings.js';

const CA = resolve('test/fixtures/tls/localhost.pem');
const SERVER = 'mysql://ann:hush@db.example.com/cms';

function tlsOf(query: string): unknown {
  const address: Settings['database'] = readDatabase('test', { DATABASE_URL: SERVER + query });
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

describe('TLS in DATABASE_URL', () => {
  it('is off, checks the name of the server, or that by an authority of your own', () => {
    expect(tlsOf('')).toBeNull();
    expect(tlsOf('?ssl-mode=DISABLED')).toBeNull();
    expect(tlsOf('?ssl-mode=VERIFY_IDENTITY')).toEqual({ ca: null });
    for (const query of [`?ssl-ca=${CA}`, `?ssl-mode=VERIFY_IDENTITY&ssl-ca=${CA}`])
      expect(tlsOf(query)).toEqual({ ca: expect.stringContaining('-----BEGIN CERTIFICATE-----') });
  });

  it('is no part of the address that is connected to', () => {
    const DATABASE_URL = `${SERVER}?ssl-mode=VERIFY_IDENTITY`;

    expect(readDatabase('test', { DATABASE_URL })).toMatchObject({
      url: SERVER,
      label: 'mysql://db.example.com/cms',
    });
  });

  it.each([
    ['true', 'ssl-ca of DATABASE_URL is "true" and must be the file of an authority; there is no such file to read'],
    ['/nowhere/ca.pem', 'there is no such file to read: ENOENT.'],
    [resolve('package.json'), 'holds no certificate in PEM'],
  ])('may not have the authority "%s"', (ca, sentence) => {
    expect(faultsOf({ DATABASE_URL: `${SERVER}?ssl-ca=${ca}` })).toEqual([expect.stringContaining(sentence)]);
  });

  it.each(['mysql://ann@127.0.0.1/cms', 'mariadb://ann@[::1]:3307/cms'])(
    'needs a name to compare the certificate with: %s',
    (DATABASE_URL) => {
      expect(faultsOf({ DATABASE_URL: `${DATABASE_URL}?ssl-mode=VERIFY_IDENTITY` })).toEqual([
        expect.stringContaining('needs the name of the server'),
      ]);
      expect(faultsOf({ DATABASE_URL })).toEqual([]);
    },
  );
});

describe('DATABASE_URL with another query', () => {
  it.each([
    `${SERVER}?ssl=true`,
    `${SERVER}?ssl={"rejectUnauthorized":false}`,
    `${SERVER}?`,
    `${SERVER}?ssl-mode=REQUIRED`,
    `${SERVER}?ssl-mode=`,
    `${SERVER}?ssl-mode=DISABLED&ssl-mode=VERIFY_IDENTITY`,
    `${SERVER}?ssl-mode=DISABLED&ssl-ca=${CA}`,
    `${SERVER}?ssl-mode=VERIFY_IDENTITY&ssl=true`,
    'mysql://ann:hu?sh@db.example.com/cms',
    'mysql://ann:hu?ssl-mode=VERIFY_IDENTITY@db.example.com/cms',
    'sqlite:data/cms.sqlite?mode=ro',
    'sqlite:data/cms.sqlite?ssl-mode=DISABLED',
  ])('is refused, since nothing of it would be read: %s', (DATABASE_URL) => {
    const faults = faultsOf({ DATABASE_URL });

    expect(faults[0]).toContain('DATABASE_URL has something behind a question mark that it does not take.');
    expect(faults.join()).not.toContain('hu');
  });
});
