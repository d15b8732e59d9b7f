import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDatabase, readSettings, SettingsError } from '../settings.js';

const SECRET = 'a-secret-of-more-than-32-characters';

describe('A setting in a file', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cms-secrets-'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function file(content: string): string {
    const path = join(folder, 'secret');
    writeFileSync(path, content);
    return path;
  }

  function faultsOf(environment: Record<string, string>): readonly string[] {
    try {
      readSettings('test', environment);
    } catch (error) {
      if (error instanceof SettingsError) return error.faults;
    }
    return [];
  }

  it.each(['', '\n', '\r\n', '\n\n'])('is read without the line ends behind it: %j', (end) => {
    expect(readSettings('test', { APP_SECRET_FILE: file(SECRET + end) }).appSecret).toBe(SECRET);
  });

  it('keeps its spaces, and the line ends inside of it', () => {
    expect(readSettings('test', { APP_SECRET_FILE: file(` ${SECRET}\nmore \n`) }).appSecret).toBe(` ${SECRET}\nmore `);
  });

  it('may be that of a provider, of the mail server, of the database', () => {
    const settings = readSettings('test', {
      SMTP_URL_FILE: file('smtp://ann:hush@mail.example.com\n'),
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'cms',
      OIDC_CLIENT_SECRET_FILE: file('smtp://ann:hush@mail.example.com\n'),
    });
    const url = file('mysql://ann:hush@db.example.com/cms\n');

    expect(settings.mail.smtp?.auth).toEqual({ user: 'ann', pass: 'hush' });
    expect(settings.providers.oidc?.clientSecret).toBe('smtp://ann:hush@mail.example.com');
    expect(readDatabase('test', { DATABASE_URL_FILE: url })).toMatchObject({ label: 'mysql://db.example.com/cms' });
  });

  it('asks for nothing but the database where nothing else is needed', () => {
    const environment = { DATABASE_URL: 'sqlite:x', APP_SECRET_FILE: join(folder, 'missing') };

    expect(readDatabase('test', environment)).toMatchObject({ kind: 'sqlite' });
  });

  it('may be any of them', () => {
    expect(readSettings('test', { PORT_FILE: file('4000\n') }).port).toBe(4000);
    expect(readSettings('test', { RATE_LIMITS_FILE: file('auth=4000\n') })).toMatchObject({
      limits: { auth: [{ requests: 4000, within: 60_000 }] },
    });
    expect(readSettings('test', { NODE_ENV_FILE: file('demo\n') }).mode).toBe('demo');
  });

  it('is not read where a name is no setting', () => {
    expect(faultsOf({ OTHER_FILE: join(folder, 'missing') })).toEqual([]);
  });

  it.each(['APP_SECRET', 'DATABASE_URL', 'SMTP_URL', 'GOOGLE_CLIENT_SECRET', 'PORT', 'LOG_LEVEL', 'NODE_ENV'])(
    'cannot be given beside %s itself',
    (name) => {
      expect(faultsOf({ [name]: 'x', [`${name}_FILE`]: file('x') })).toEqual([
        `${name} and ${name}_FILE are both set. Keep one of them.`,
      ]);
    },
  );

  it('that is not there, or is no file, is a sentence', () => {
    const missing = join(folder, 'missing');

    expect(faultsOf({ APP_SECRET_FILE: missing, SMTP_URL_FILE: folder })).toEqual([
      `SMTP_URL_FILE is ${folder}, and that file cannot be read: EISDIR.`,
      `APP_SECRET_FILE is ${missing}, and that file cannot be read: ENOENT.`,
    ]);
  });

  it('that is empty is a sentence', () => {
    const path = file('\n');

    expect(faultsOf({ APP_SECRET_FILE: path })).toEqual([`APP_SECRET_FILE is ${path}, and that file is empty.`]);
  });
});
