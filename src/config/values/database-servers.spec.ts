import { readDatabase, type SettingsError } from '../settings.js';

const URL_OF_SERVER = 'mysql://app:hush@db1:3306/cms';

const read = (environment: Record<string, string>) =>
  readDatabase('test', { DATABASE_URL: URL_OF_SERVER, ...environment });

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    read(environment);
  } catch (error) {
    return (error as SettingsError).faults;
  }
  return [];
}

describe('DATABASE_POOL', () => {
  it('is ten without a word', () => {
    expect(read({})).toMatchObject({ servers: { pool: 10, others: [] } });
  });

  it.each(['2', '200'])('may be %s', (DATABASE_POOL) => {
    expect(read({ DATABASE_POOL })).toMatchObject({ servers: { pool: Number(DATABASE_POOL) } });
  });

  it.each(['1', '201', 'many'])('may not be %s', (DATABASE_POOL) => {
    expect(faultsOf({ DATABASE_POOL })).toEqual([expect.stringContaining('DATABASE_POOL')]);
  });
});

describe('DATABASE_HOSTS', () => {
  it('names further servers in their order, on the usual port unless they say another one', () => {
    expect(read({ DATABASE_HOSTS: 'db2:3307, db3,[::1]:3308' })).toMatchObject({
      servers: {
        others: [
          { host: 'db2', port: 3307 },
          { host: 'db3', port: 3306 },
          { host: '::1', port: 3308 },
        ],
      },
    });
  });

  it.each(['db2:port', 'mysql://db2', 'db2/cms', ':3306'])('may not be %s', (DATABASE_HOSTS) => {
    expect(faultsOf({ DATABASE_HOSTS })).toEqual([expect.stringContaining('DATABASE_HOSTS')]);
  });

  it('does not repeat a password that was put there by mistake', () => {
    const [fault] = faultsOf({ DATABASE_HOSTS: 'app:hush@db2' });

    expect(fault).toContain('DATABASE_HOSTS');
    expect(fault).not.toContain('hush');
  });

  it('names no addresses where certificates are compared with names', () => {
    expect(faultsOf({ DATABASE_HOSTS: '10.0.0.2', DATABASE_TLS: 'on' })).toEqual([
      expect.stringContaining('DATABASE_TLS needs the names'),
    ]);
  });

  it('is for servers', () => {
    expect(faultsOf({ DATABASE_URL: 'sqlite:x.sqlite', DATABASE_HOSTS: 'db2' })).toEqual([
      expect.stringContaining('DATABASE_HOSTS'),
    ]);
  });
});

describe('DATABASE_REPLICA_URLS', () => {
  it('names copies, each with a user of its own', () => {
    const urls = 'mysql://reader:a%2Cb@db2:3307/cms, mariadb://reader@[::1]/copy';

    expect(read({ DATABASE_REPLICA_URLS: urls })).toMatchObject({
      servers: {
        replicas: [
          { host: 'db2', port: 3307, user: 'reader', password: 'a,b', database: 'cms' },
          { host: '::1', port: 3306, user: 'reader', password: '', database: 'copy' },
        ],
        maxLagMs: 2_000,
      },
    });
  });

  it.each([
    'db2:3306',
    'mysql://db2',
    'mysql://db2/',
    'mysql:///cms',
    'mysql://r:%ff@db2/cms',
    'mysql://db2/cms?ssl=1',
    'sqlite:data/cms.sqlite',
  ])('may not have %s', (DATABASE_REPLICA_URLS) => {
    expect(faultsOf({ DATABASE_REPLICA_URLS })).toEqual([expect.stringContaining('DATABASE_REPLICA_URLS')]);
  });

  it('does not name a copy twice', () => {
    expect(faultsOf({ DATABASE_REPLICA_URLS: 'mysql://a@db2/cms,mysql://b@db2:3306/cms' })).toEqual([
      expect.stringContaining('db2:3306 twice'),
    ]);
  });

  it('does not repeat a password', () => {
    const [fault] = faultsOf({ DATABASE_REPLICA_URLS: 'postgres://app:hush@db2/cms' });

    expect(fault).toContain('number 1');
    expect(fault).not.toContain('hush');
  });

  it('names no addresses where certificates are compared with names', () => {
    expect(faultsOf({ DATABASE_REPLICA_URLS: 'mysql://a@10.0.0.2/cms', DATABASE_TLS: 'on' })).toEqual([
      expect.stringContaining('DATABASE_TLS needs the names'),
    ]);
  });

  it('is for servers', () => {
    expect(faultsOf({ DATABASE_URL: 'sqlite:x.sqlite', DATABASE_REPLICA_URLS: 'mysql://a@db2/cms' })).toEqual([
      expect.stringContaining('DATABASE_REPLICA_URLS is for servers'),
    ]);
  });
});

describe('REPLICA_MAX_LAG_MS', () => {
  it.each(['1500', '60000'])('may be %s', (REPLICA_MAX_LAG_MS) => {
    expect(read({ REPLICA_MAX_LAG_MS })).toMatchObject({ servers: { maxLagMs: Number(REPLICA_MAX_LAG_MS) } });
  });

  it.each(['1499', '60001', '2s'])('may not be %s', (REPLICA_MAX_LAG_MS) => {
    expect(faultsOf({ REPLICA_MAX_LAG_MS })).toEqual([expect.stringContaining('REPLICA_MAX_LAG_MS')]);
  });
});
