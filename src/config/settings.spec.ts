import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readSettings, SettingsError } from './settings.js';

const SECRET = 'a-secret-of-more-than-32-characters';

const GOOD = {
  APP_SECRET: SECRET,
  PUBLIC_URL: 'https://cms.example.com',
  DATABASE_URL: 'sqlite:data/cms.sqlite',
};

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings('production', environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
  }
  return [];
}

describe('Settings', () => {
  it('tell every fault at once, each with what to do', () => {
    const faults = faultsOf({
      PORT: 'http',
      APP_SECRET: 'short',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'postgres://db/cms',
    });

    expect(faults).toEqual([
      'PUBLIC_URL is not set. It is the address that clients use: PUBLIC_URL=https://cms.example.com.',
      'PORT is "http" and must be a whole number from 0 to 65535, for example PORT=3000.',
      expect.stringContaining('DATABASE_URL is not an address that the service knows. Use sqlite:data/cms.sqlite'),
      'APP_SECRET has 5 bytes and needs 32 or more. Make one: APP_SECRET=$(openssl rand -hex 32).',
      expect.stringContaining('LOG_LEVEL is "loud" and must be one of: fatal'),
    ]);
  });

  it('are refused as one error that lists the faults', () => {
    expect(() => readSettings('production', { ...GOOD, PORT: '-1', HOST: '' })).toThrow(
      'The settings do not fit:\n  - PORT is "-1" and must be a whole number from 0 to 65535, for example PORT=3000.',
    );
  });

  it('are refused if there is a file .env that cannot be read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cms-settings-'));
    const file = join(folder, '.env');
    mkdirSync(file);
    jest.spyOn(process, 'cwd').mockReturnValue(folder);

    expect(() => readSettings('production')).toThrow(
      new SettingsError([
        `${file} cannot be read: EISDIR. Give the file to the user that runs the service: chown <user> ${file}`,
      ]),
    );
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  it.each(['APP_SECRET', 'PUBLIC_URL', 'DATABASE_URL'])('need %s in production', (name) => {
    expect(faultsOf({ ...GOOD, [name]: '' })).toEqual([expect.stringContaining(`${name} is not set.`)]);
  });

  it.each(['demo', 'development', 'test'] as const)('need nothing in mode %s', (mode) => {
    const settings = readSettings(mode, {});

    expect(settings).toMatchObject({ mode, port: 3000, publicUrl: 'http://localhost:3000' });
    expect(settings.database).toEqual({ kind: 'sqlite', file: resolve('data/cms.sqlite') });
  });

  it('are production unless something says otherwise', () => {
    expect(readSettings(undefined, GOOD)).toMatchObject({ mode: 'production', host: '0.0.0.0', logLevel: 'info' });
    expect(readSettings('demo', { ...GOOD, NODE_ENV: 'production' }).mode).toBe('production');
  });

  it('keep the demo to this machine', () => {
    expect(readSettings('demo', {}).host).toBe('127.0.0.1');
  });

  it('take a variable that is set to nothing for one that is not set', () => {
    expect(readSettings('demo', { PORT: '', LOG_LEVEL: '' })).toMatchObject({ port: 3000, logLevel: 'info' });
  });
});

describe('APP_SECRET', () => {
  it.each([
    [31, 1],
    [32, 0],
  ])('of %i bytes has %i faults', (length, count) => {
    expect(faultsOf({ ...GOOD, APP_SECRET: '3f1c9a07e25bd846b0f7912ce4a8d365'.slice(0, length) })).toHaveLength(count);
  });

  it('is counted in bytes', () => {
    expect(faultsOf({ ...GOOD, APP_SECRET: 'äéîöüñçøæåêëìíïð' })).toEqual([]);
  });
});

describe('PORT', () => {
  it.each(['0', '65535'])('may be %s', (port) => {
    expect(readSettings('demo', { PORT: port }).port).toBe(Number(port));
  });

  it.each(['65536', '-1', '3.5', '0x50', ' '])('may not be "%s"', (port) => {
    expect(() => readSettings('demo', { PORT: port })).toThrow('PORT');
  });
});

describe('DATABASE_URL', () => {
  it('takes mariadb:// for a server of the same protocol', () => {
    const { database } = readSettings('demo', { DATABASE_URL: 'mariadb://ana:secret@db.example.com:3307/cms' });

    expect(database).toEqual({
      kind: 'server',
      url: 'mysql://ana:secret@db.example.com:3307/cms',
      label: 'mariadb://db.example.com:3307/cms',
      tls: null,
      pool: 10,
    });
  });

  it('must name a database', () => {
    expect(faultsOf({ ...GOOD, DATABASE_URL: 'mysql://root@db' })).toEqual([
      expect.stringContaining('names no database'),
    ]);
  });

  it.each(['postgres://ana:s3cret@db/cms', 'mysql:ana:s3cret', 's3cret'])('is not repeated in a fault', (url) => {
    expect(faultsOf({ ...GOOD, DATABASE_URL: url }).join()).not.toContain('s3cret');
  });
});

describe('SITE_URL', () => {
  it('is PUBLIC_URL until it is set', () => {
    const PUBLIC_URL = 'https://cms.example.com';

    expect(readSettings('demo', { PUBLIC_URL }).siteUrl).toBe(PUBLIC_URL);
    expect(readSettings('demo', { PUBLIC_URL, SITE_URL: 'https://www.example.com/' })).toMatchObject({
      publicUrl: PUBLIC_URL,
      siteUrl: 'https://www.example.com',
    });
    expect(() => readSettings('demo', { SITE_URL: 'https://www.example.com/blog' })).toThrow(
      'SITE_URL is "https://www.example.com/blog" and must be an address without a path',
    );
  });
});

describe('The name of the service', () => {
  it('is that of the sender of mails, or the host of PUBLIC_URL', () => {
    const PUBLIC_URL = 'https://cms.example.com:8443';
    const nameWith = (MAIL_FROM: string) => readSettings('demo', { PUBLIC_URL, MAIL_FROM }).siteName;

    expect(nameWith('Linden Hill <no-reply@example.com>')).toBe('Linden Hill');
    expect(nameWith('no-reply@example.com')).toBe('cms.example.com:8443');
    expect(nameWith('')).toBe('cms.example.com:8443');
  });
});

describe('PUBLIC_URL', () => {
  it('loses a slash at its end', () => {
    expect(readSettings('demo', { PUBLIC_URL: 'https://cms.example.com/' }).publicUrl).toBe('https://cms.example.com');
  });

  it.each(['cms.example.com', 'https://cms.example.com/api', 'ftp://cms.example.com', 'https://ana@example.com'])(
    'may not be "%s"',
    (url) => {
      expect(() => readSettings('demo', { PUBLIC_URL: url })).toThrow('must be an address without a path');
    },
  );
});

describe('TRUST_PROXY', () => {
  it.each([
    ['1', 1],
    ['0', false],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ])('may be "%s"', (text, value) => {
    expect(readSettings('demo', { TRUST_PROXY: text }).trustProxy).toEqual(value);
  });

  it.each([
    ...['true', '0.0.0.0/0', '10.0.0.0/8,::/0', '10.0.0.0/33', '10.0.0.0/8/8', 'example.com'],
    ...['::ffff:10.0.0.1', '::ffff:0:0/96', '0:0:0:0:0:ffff:0:0/100'],
  ])('may not be "%s"', (text) => {
    expect(() => readSettings('demo', { TRUST_PROXY: text })).toThrow('Trusting everybody');
  });

  it.each(['0.0.0.0/1,128.0.0.0/1', '10.0.0.0/7', '2000::/3', '2001::/15', '::/16', '::/80', '::fffe:0:0/95'])(
    'may not be as wide as "%s"',
    (text) => {
      expect(() => readSettings('demo', { TRUST_PROXY: text })).toThrow('name networks of /8 or smaller');
    },
  );

  it.each(['5', '10.0.0.0/8,192.168.0.0/16', '2001:db8::/32', 'fd00::/16', 'fe80::1'])('may be "%s"', (text) => {
    expect(faultsOf({ ...GOOD, TRUST_PROXY: text })).toEqual([]);
  });

  it.each(['6', '99', '100', '4294967296'])('may not be %s hops', (text) => {
    expect(faultsOf({ ...GOOD, TRUST_PROXY: text })).toEqual([expect.stringContaining('takes 5 hops at most')]);
  });
});

describe('METRICS_PORT', () => {
  it('is a port of its own, or none', () => {
    expect(readSettings('demo', {}).metricsPort).toBeNull();
    expect(readSettings('demo', { METRICS_PORT: '9464' }).metricsPort).toBe(9464);
    expect(faultsOf({ ...GOOD, METRICS_PORT: '3000' })).toEqual([expect.stringContaining('a port of their own')]);
    expect(faultsOf({ ...GOOD, METRICS_PORT: '70000' })).toEqual([expect.stringContaining('METRICS_PORT is "70000"')]);
  });
});

describe('REDIS_URL', () => {
  it.each(['redis://127.0.0.1:6379', 'rediss://user:secret@redis.example.com:6380/15', 'redis://:secret@redis/'])(
    'is the address of Redis: %s',
    (url) => {
      expect(readSettings('demo', { REDIS_URL: url }).redisUrl).toBe(url);
    },
  );

  it.each(['redis', 'http://127.0.0.1', 'redis://:secret@', 'redis://redis/name', 'redis://redis/1?family=6'])(
    'is refused as %s, without a word of what it holds',
    (url) => {
      const faults = faultsOf({ ...GOOD, REDIS_URL: url });
      expect(faults).toEqual([expect.stringMatching(/^REDIS_URL is not the address of Redis\. Use /)]);
      expect(faults.join()).not.toContain('secret');
    },
  );

  it('need not be set', () => {
    expect(readSettings('demo', {}).redisUrl).toBeNull();
  });
});

describe('CORS_ORIGINS', () => {
  it('are exact origins', () => {
    const { corsOrigins } = readSettings('demo', { CORS_ORIGINS: 'https://app.example.com,http://localhost:5173' });

    expect(corsOrigins).toEqual(['https://app.example.com', 'http://localhost:5173']);
  });

  it.each(['*', 'null', 'https://*.example.com', 'https://*.example.com/x', 'app.example.com'])(
    'may not be "%s"',
    (text) => {
      expect(() => readSettings('demo', { CORS_ORIGINS: text })).toThrow('takes exact origins');
    },
  );
});
