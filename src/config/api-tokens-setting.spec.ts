import { createHash } from 'node:crypto';
import { readSettings, SettingsError } from './settings.js';

function faultsOf(tokens: string): readonly string[] {
  try {
    readSettings('demo', { API_TOKENS: tokens });
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
  }
  return [];
}

describe('API_TOKENS', () => {
  const secret = 'twenty-four-characters-x';
  const other = 'another-one-of-24-characters';
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
  const sha256 = hashOf(secret);

  it('are names, secrets and scopes; without scopes a token may do everything', () => {
    const { apiTokens } = readSettings('demo', { API_TOKENS: `ci=${secret};records:read drafts:read, all=${other}` });

    expect(apiTokens).toEqual([
      { name: 'ci', sha256, scopes: ['records:read', 'drafts:read'] },
      { name: 'all', sha256: hashOf(other), scopes: ['*'] },
    ]);
  });

  it('may be given as hashes', () => {
    const { apiTokens } = readSettings('demo', { API_TOKENS: `ci=sha256:${sha256.toUpperCase()}` });

    expect(apiTokens).toEqual([{ name: 'ci', sha256, scopes: ['*'] }]);
  });

  it.each([
    ['ci', 'entry 1 is not name=secret'],
    [`42=${secret}`, 'the name of entry 1 has only digits'],
    ['ci=twenty-three-characters', 'the secret of entry 1 needs 24 or more characters'],
    ['ci=sha256:abc', 'the secret of entry 1 needs'],
    [`ci=${secret};records:destroy`, 'entry 1 has 1 scope that is unknown'],
    [`ci=${secret};records:read one two`, 'entry 1 has 2 scopes that are unknown'],
    [`ci=${secret},ci=${other}`, 'entries 1 and 2 have the same name'],
    [`ci=${secret},cd=${other},other=${secret};records:read`, 'entries 1 and 3 have the same secret'],
    [`ci=${secret},other=sha256:${sha256}`, 'entries 1 and 2 have the same secret'],
  ])('are refused as "%s"', (text, fault) => {
    expect(() => readSettings('demo', { API_TOKENS: text })).toThrow(fault);
  });

  it('never show a secret in a fault', () => {
    const faults = faultsOf('ci=too-short-secret,also-a-secret');

    expect(faults).not.toEqual([]);
    expect(faults.join()).not.toMatch(/too-short-secret|also-a-secret/);
  });

  it.each([
    'ci=first-half-of-the-secret;SECOND-HALF-OF-IT',
    'ci=first-half-of-the-secret,SECOND-HALF-OF-IT=rest',
    'SECOND-HALF-OF-IT=first-half-of-the-secret,SECOND-HALF-OF-IT=first-half-of-the-secret',
  ])('show no part of an entry, since a separator may stand in a secret: %s', (text) => {
    const faults = faultsOf(text);

    expect(faults).not.toEqual([]);
    expect(faults.join()).not.toMatch(/half/i);
  });
});
