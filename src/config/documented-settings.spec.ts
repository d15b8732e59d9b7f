import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { readSettings, SettingsError } from './settings.js';
import { SettingReader } from './values/setting-reader.js';

/** What compose.yaml decides for the container, whatever .env has. */
const OF_CONTAINER = ['DATABASE_URL', 'DATA_DIR', 'HOST', 'NODE_ENV', 'PORT'];
/** What a production needs; the rest has defaults. */
const NEEDED = {
  APP_SECRET: 'a-secret-of-more-than-32-characters',
  PUBLIC_URL: 'https://cms.example.com',
  DATABASE_URL: 'sqlite:data/cms.sqlite',
};

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings('production', environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
  }
  return [];
}

interface Compose {
  readonly services: {
    readonly service: { readonly env_file: unknown; readonly environment: Readonly<Record<string, string>> };
  };
}

describe('Every setting', () => {
  let read: string[];
  const example = readFileSync('.env.example', 'utf8');

  beforeAll(() => {
    const { mock } = jest.spyOn(SettingReader.prototype, 'text');
    faultsOf({});
    read = [...new Set(mock.calls.map(([name]) => name))].toSorted();
    jest.restoreAllMocks();
  });

  it('is one that is read', () => {
    expect(read).toEqual(
      expect.arrayContaining(['PORT', 'RATE_LIMITS', 'OIDC_USERS', 'NODE_ENV', 'DATA_DIR', 'APPLE_JWKS_URL', 'SIGNUP']),
    );
    expect(read.length).toBeGreaterThan(60);
  });

  it('is explained in .env.example, which has no other', () => {
    const explained = all(example, /^(?:# )?([A-Z][A-Z0-9_]*)=/gm).filter((name) => !name.endsWith('_FILE'));

    expect([...new Set(explained)].toSorted()).toEqual(read);
  });

  it('is read under its name out of a copy of .env.example', () => {
    const keys = Object.keys(parseEnv(example));

    expect(keys.filter((key) => !read.includes(key))).toEqual([]);
  });

  it('is explained once in docs/settings.md, which has no other', () => {
    const titles = all(readFileSync('docs/settings.md', 'utf8'), /^- \*\*(.+?)\*\*: /gm);

    expect(titles.flatMap((title) => all(title, /`([A-Z0-9_]+)(?:=[^`]*)?`/g)).toSorted()).toEqual(read);
  });

  it('can be given as a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cms-settings-'));
    const file = join(folder, 'value');
    writeFileSync(file, 'x');
    const faults = read.map((name) => faultsOf({ [name]: 'x', [`${name}_FILE`]: file }));

    expect(faults).toEqual(read.map((name) => [`${name} and ${name}_FILE are both set. Keep one of them.`]));
    rmSync(folder, { recursive: true });
  });

  it('has the default that .env.example shows', () => {
    expect(readSettings('production', { ...parseEnv(example), ...NEEDED })).toEqual(readSettings('production', NEEDED));
  });

  it('reaches the container of compose.yaml, but for those that are the container’s own', () => {
    const { service } = (parse(readFileSync('compose.yaml', 'utf8')) as Compose).services;
    const passed = Object.entries(service.environment).filter(([name, value]) => value.startsWith(`\${${name}:`));
    const own = Object.keys(service.environment).filter((name) => !passed.some(([found]) => found === name));

    expect(service.env_file).toEqual([{ path: '.env', required: false }]);
    expect(own.toSorted()).toEqual(OF_CONTAINER);
    expect(passed.map(([name]) => name).filter((name) => !read.includes(name))).toEqual([]);
  });
});
