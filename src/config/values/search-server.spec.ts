import { certificateOf } from '../../../test/support/tls-database.js';
import { readSettings, SettingsError } from '../settings.js';

const DATABASE_URL = 'mysql://root@127.0.0.1:3306/cms';

function serverOf(settings: Record<string, string>) {
  return readSettings('test', { DATABASE_URL, ...settings }).searchServer;
}

function faultsOf(settings: Record<string, string>): readonly string[] {
  try {
    serverOf(settings);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
}

describe('SEARCH_URL', () => {
  it('is the address of OpenSearch, with the user and the name of the index', () => {
    expect(serverOf({ SEARCH_URL: 'https://ann:p%40ss@search.example.com:9200/news-2' })).toEqual({
      origin: 'https://search.example.com:9200',
      user: { username: 'ann', password: 'p@ss' },
      alias: 'news-2',
      ca: null,
    });
    expect(serverOf({ SEARCH_URL: 'http://127.0.0.1:9200' })).toMatchObject({ user: null, alias: 'cms' });
  });

  it('need not be set', () => {
    expect(serverOf({})).toBeNull();
  });

  it.each([
    'search',
    'ftp://x',
    'https://u:secret@x/Cms',
    'https://u:secret@x/_all',
    'https://u:secret@x/a/b',
    'https://u@x/',
  ])('is refused as %s, without a word of what it holds', (url) => {
    const faults = faultsOf({ SEARCH_URL: url });
    expect(faults).toEqual([expect.stringMatching(/^SEARCH_URL is not the address of OpenSearch/)]);
    expect(faults.join()).not.toContain('secret');
  });

  it('has no place beside a file of SQLite, or a local index', () => {
    const SEARCH_URL = 'http://127.0.0.1:9200';

    expect(faultsOf({ DATABASE_URL: 'sqlite:x.sqlite', SEARCH_URL })).toEqual([
      expect.stringMatching(/^SEARCH_URL is for/),
    ]);
    expect(faultsOf({ SEARCH_INDEX: 'local', SEARCH_URL })).toEqual([expect.stringMatching(/^SEARCH_INDEX is local/)]);
  });
});

describe('SEARCH_TLS', () => {
  const SEARCH_URL = 'https://search.example.com:9200';

  it('names the authority of the certificate', () => {
    expect(serverOf({ SEARCH_URL, SEARCH_TLS: certificateOf('localhost') })?.ca).toMatch(
      /^-----BEGIN CERTIFICATE-----/,
    );
    expect(serverOf({ SEARCH_URL, SEARCH_TLS: 'on' })?.ca).toBeNull();
  });

  it('is refused where it can have no effect, or names no certificate', () => {
    expect(faultsOf({ SEARCH_TLS: '/own.pem' })).toEqual([expect.stringMatching(/^SEARCH_TLS is for OpenSearch/)]);
    expect(faultsOf({ SEARCH_URL: 'http://x', SEARCH_TLS: '/own.pem' })).toEqual([
      expect.stringMatching(/^SEARCH_TLS names a file/),
    ]);
    expect(faultsOf({ SEARCH_URL, SEARCH_TLS: '/nowhere.pem' })).toEqual([expect.stringMatching(/ENOENT/)]);
  });
});
