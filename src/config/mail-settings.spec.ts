import { readSettings, SettingsError } from './settings.js';
import type { MailSettings } from './mail-settings.js';

function mailOf(environment: Record<string, string>): MailSettings {
  return readSettings('test', { PUBLIC_URL: 'https://cms.example.com', ...environment }).mail;
}

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    mailOf(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
  }
  return [];
}

describe('MAIL_TRANSPORT', () => {
  it('is smtp with a mail server, else file', () => {
    expect(mailOf({})).toMatchObject({ transport: 'file', smtp: null });
    expect(mailOf({ SMTP_URL: 'smtp://mail.example.com' })).toMatchObject({ transport: 'smtp', smtp: { port: 587 } });
    expect(mailOf({ SMTP_URL: 'smtp://mail.example.com', MAIL_TRANSPORT: 'log' })).toMatchObject({
      transport: 'log',
      smtp: null,
    });
  });

  it('cannot be smtp without a mail server, nor anything else', () => {
    expect(faultsOf({ MAIL_TRANSPORT: 'smtp' })).toEqual([
      'MAIL_TRANSPORT is smtp and SMTP_URL is not set. Name the mail server: SMTP_URL=smtp://user:password@mail.example.com:587.',
    ]);
    expect(faultsOf({ MAIL_TRANSPORT: 'pigeon' })).toEqual([
      'MAIL_TRANSPORT is "pigeon" and must be one of: smtp, file, log.',
    ]);
  });
});

describe('SMTP_URL', () => {
  it('says where the mail server is, and how to sign in', () => {
    expect(mailOf({ SMTP_URL: 'smtp://an%40a:p%3Aw%25@mail.example.com:2525?requireTLS=true' }).smtp).toEqual({
      host: 'mail.example.com',
      port: 2525,
      secure: false,
      requireTLS: true,
      verifiesCertificate: true,
      auth: { user: 'an@a', pass: 'p:w%' },
      label: 'smtp://mail.example.com:2525',
    });
  });

  it.each([
    ['smtp://ann:hush@mail.example.com', true],
    ['smtp://ann:hush@mail.example.com?requireTLS=false', false],
    ['smtp://ann:hush@localhost', false],
    ['smtp://ann:hush@127.0.0.1:2525', false],
    ['smtp://ann:hush@[::1]', false],
    ['smtp://ann@mail.example.com', false],
    ['smtp://mail.example.com', false],
  ])('keeps a password on an encrypted way where it leaves the machine: %s', (SMTP_URL, isRequired) => {
    expect(mailOf({ SMTP_URL }).smtp?.requireTLS).toBe(isRequired);
  });

  it('is encrypted from the start as smtps, on port 465', () => {
    expect(mailOf({ SMTP_URL: 'smtps://[::1]/?tls.rejectUnauthorized=false' }).smtp).toMatchObject({
      host: '::1',
      port: 465,
      secure: true,
      verifiesCertificate: false,
      auth: null,
    });
  });

  it.each([
    'http://ana:s3cret@mail.example.com',
    'mail.example.com:s3cret',
    'smtp://',
    'smtp://ana:s3cret@mail.example.com:99999',
    'smtp://ana:s3cret@mail.example.com/path',
    'smtp://ana:s3cret@mail.example.com?requireTLS=s3cret',
    'smtp://ana:s3cret@mail.example.com?pool=true',
    'smtp://ana:s3cret%@mail.example.com',
  ])('may not be "%s", and is not repeated in the fault', (url) => {
    const faults = faultsOf({ SMTP_URL: url });

    expect(faults).toEqual([expect.stringMatching(/^SMTP_URL .*smtp:\/\//)]);
    expect(faults.join()).not.toContain('s3cret');
  });
});

describe('MAIL_FROM', () => {
  it.each([
    ['https://cms.example.com:8443', 'cms.example.com:8443', 'no-reply@cms.example.com'],
    ['http://localhost:3000', 'localhost:3000', 'no-reply@localhost'],
    ['http://192.168.1.7', '192.168.1.7', 'no-reply@localhost'],
    ['http://[::1]:3000', '[::1]:3000', 'no-reply@localhost'],
  ])('is on the host of PUBLIC_URL %s until it is set, and called by that host', (url, name, address) => {
    expect(mailOf({ PUBLIC_URL: url }).from).toEqual({ name, address });
  });

  it.each([
    ['Example <no-reply@example.com>', 'Example', 'no-reply@example.com'],
    ['"Example, Ltd." <no-reply@example.com>', 'Example, Ltd.', 'no-reply@example.com'],
    ['no-reply@example.com', '', 'no-reply@example.com'],
    [`${'x'.repeat(100)} <a@example.com>`, 'x'.repeat(100), 'a@example.com'],
  ])('may be %s', (text, name, address) => {
    expect(mailOf({ MAIL_FROM: text }).from).toEqual({ name, address });
  });

  it.each([
    'Example',
    'Example <no-reply>',
    'Example <a@example.com>, Other <b@example.com>',
    'a@example.com, b@example.com',
    'Example <a@example.com>\r\nBcc: eve@example.com',
    'Exa\r\nmple <a@example.com>',
    `${'x'.repeat(101)} <a@example.com>`,
  ])('may not be %j', (text) => {
    expect(faultsOf({ MAIL_FROM: text })).toEqual([
      expect.stringMatching(/^MAIL_FROM is ".*MAIL_FROM=Example <no-reply@example\.com>\.$/),
    ]);
  });
});
