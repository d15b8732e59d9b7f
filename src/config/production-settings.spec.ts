import { createHash } from 'node:crypto';
import { PLAY_SECRET } from './values/app-secret.js';
import { guessableSecret } from './values/app-secret.js';
import { readSettings, SettingsError, type Mode } from './settings.js';

const SECRET = 'a-secret-of-more-than-32-characters';
const GOOD = { APP_SECRET: SECRET, PUBLIC_URL: 'https://cms.example.com', DATABASE_URL: 'sqlite:data/cms.sqlite' };

function faultsOf(environment: Record<string, string>, mode: Mode = 'production'): readonly string[] {
  try {
    readSettings(mode, { ...GOOD, ...environment });
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
  }
  return [];
}

describe('A production', () => {
  it.each([
    [PLAY_SECRET, 'APP_SECRET is that of the demo, which is public.'],
    ['a'.repeat(32), 'APP_SECRET has only 1 different bytes'],
    ['1234567'.repeat(6), 'APP_SECRET has only 7 different bytes'],
    ['change-me-'.repeat(5), 'APP_SECRET is made of placeholders'],
    ['My-Super-SECRET_password, please change_me!', 'APP_SECRET is made of placeholders'],
    ['secret-example-password-12345678', 'APP_SECRET is made of placeholders'],
    ['0123456789abcdef'.repeat(2), 'APP_SECRET repeats a shorter text'],
    ['Käse und Brot '.repeat(3).trim(), 'APP_SECRET repeats a shorter text'],
    ['0123456789abcdefghijklmnopqrstuvwxyz', 'APP_SECRET is a sequence of neighbouring characters'],
    ['ZYXWVUTSRQPONMLKJIHGFEDCBA9876543210', 'APP_SECRET is a sequence of neighbouring characters'],
  ])('does not start with the secret %s, which it does not repeat', (APP_SECRET, sentence) => {
    const faults = faultsOf({ APP_SECRET });

    expect(faults).toEqual([expect.stringContaining(sentence)]);
    expect(faults.join()).not.toContain(APP_SECRET);
    expect(faultsOf({ APP_SECRET }, 'development')).toEqual([]);
  });

  it('takes every secret of 32 random hexadecimal digits or more, and a random one with a word before it', () => {
    const random = (n: number) => createHash('sha256').update(`secret ${n}`).digest('hex');
    const refused = Array.from({ length: 2_000 }, (_, n) => random(n)).filter(
      (text) => guessableSecret(text.slice(0, 32)) ?? guessableSecret(text) ?? guessableSecret(text + random(-1)),
    );

    expect(refused).toEqual([]);
    expect(faultsOf({ APP_SECRET: random(1).slice(0, 32) })).toEqual([]);
    expect(faultsOf({ APP_SECRET: `production-secret-${random(1).slice(0, 16)}` })).toEqual([]);
  });

  it('has a secret of another kind beside the former one', () => {
    expect(faultsOf({ APP_SECRET_OLD: SECRET })).toEqual([expect.stringContaining('is the same as APP_SECRET')]);
    expect(faultsOf({ APP_SECRET_OLD: 'short' })).toEqual([expect.stringContaining('APP_SECRET_OLD has 5 bytes')]);
    // A demo becomes a production.
    expect(faultsOf({ APP_SECRET_OLD: PLAY_SECRET })).toEqual([]);
  });

  it.each([
    ['PUBLIC_URL', 'http://cms.example.com'],
    ['PUBLIC_URL', 'http://10.0.0.7:3000'],
    ['MAGIC_LINK_URL', 'http://console.example.com/sign-in'],
    ['MAGIC_LINK_URL', 'http://localhost.example.com/password'],
    ['CORS_ORIGINS', 'http://127.0.0.1.example.com'],
    ['REDIRECT_ALLOW_LIST', 'http://console.example.com/signed-in'],
    ['PWNED_CHECK', 'http://passwords.example.com/range/'],
  ])('takes no plain http to other machines: %s=%s', (name, address) => {
    expect(faultsOf({ [name]: address })).toEqual([
      `${name} has ${address}: over plain http, tokens and passwords can be read on the way. Use https, or set ALLOW_HTTP=yes on a network of your own.`,
    ]);
    expect(faultsOf({ [name]: address, ALLOW_HTTP: 'yes' })).toEqual([]);
    expect(faultsOf({ [name]: address }, 'development')).toEqual([]);
  });

  it.each([
    ['PUBLIC_URL', 'http://localhost:3000'],
    ['PUBLIC_URL', 'http://127.0.0.1:3000'],
    ['CORS_ORIGINS', 'http://[::1]:5173,http://console.localhost'],
    ['REDIRECT_ALLOW_LIST', 'com.example.app:/signed-in,http://127.0.0.2/signed-in,https://console.example.com/x'],
  ])('takes what leaves no machine, and apps: %s=%s', (name, address) => {
    expect(faultsOf({ [name]: address })).toEqual([]);
  });

  it('says what ALLOW_HTTP may be', () => {
    expect(faultsOf({ ALLOW_HTTP: 'true' })).toEqual(['ALLOW_HTTP is "true" and must be one of: yes, no.']);
  });

  it('has sessions that end after 90 days', () => {
    expect(faultsOf({ REFRESH_ABSOLUTE: '90d' })).toEqual([]);
    expect(faultsOf({ REFRESH_ABSOLUTE: '9999d' })).toEqual([
      'REFRESH_ABSOLUTE is "9999d" and must be 90d or less: REFRESH_ABSOLUTE=30d.',
    ]);
  });
});
